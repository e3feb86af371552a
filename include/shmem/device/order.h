/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orderings of kernels, by name: the only caller of fences. Each says which
 * accesses it puts before which. "All of s" is every work-item of the scope.
 *
 * Two kinds of processor. AMD: a fence covers its own wave's accesses, so each
 * wave fences, then all meet. NVIDIA: fences are cumulative, so all meet, then
 * one who goes on fences for all. SHMEMD_RELEASE_BEFORE_BARRIER tells.
 */
#ifndef SHMEM_DEVICE_ORDER_H
#define SHMEM_DEVICE_ORDER_H

#include <shmem/device/module.h>
#include <shmem/device/scope.h>

/* near: all who look are on this device. */
SHMEMD_FN void shmemd_release(int near)
{
	if (near)
		shmemd_fence_release_near();
	else
		shmemd_fence_release();
}

/*
 * Payload of any stores, then flags: all of s call it after their payload
 * stores; those with stores_flag nonzero may then store flags, relaxed. Holds
 * for payload and flags in the memory of kernels, looked at by kernels.
 */
SHMEMD_FN void shmemd_payload_before_flag(enum shmemd_scope s, int stores_flag)
{
	const int near = shmemd_block.near != 0;

	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_release(near);
	shmemd_scope_sync(s);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && stores_flag)
		shmemd_release(near);
}

/* The same where this device's kernels alone look at payload and flags. */
SHMEMD_FN void shmemd_local_before_flag(enum shmemd_scope s, int stores_flag)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_fence_release_near();
	shmemd_scope_sync(s);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && stores_flag)
		shmemd_fence_release_near();
}

/*
 * Payload of bypassing stores only (store128, storeN), then flags: owes no
 * write-back. near: nobody beyond this device looks, or all of it lies in this
 * device's memory.
 */
SHMEMD_FN void shmemd_put_before_flag(enum shmemd_scope s, int stores_flag,
				      int near)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_wait_stores();
	shmemd_scope_sync(s);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && stores_flag)
		shmemd_release(near);
}

/*
 * Flags, then payload: all of s call it after those with saw_flag nonzero
 * loaded their flags, relaxed; then all of s may load the payload.
 */
SHMEMD_FN void shmemd_flag_seen_before_payload(enum shmemd_scope s,
					       int saw_flag)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER) {
		shmemd_scope_sync(s);
		shmemd_fence_acquire();
		return;
	}
	if (saw_flag)
		shmemd_fence_acquire();
	shmemd_scope_sync(s);
}

/* The same where any item may have seen flags. */
SHMEMD_FN void shmemd_flag_before_payload(enum shmemd_scope s)
{
	shmemd_flag_seen_before_payload(s, 1);
}

/*
 * A count that work-groups raise after their puts (put_before_flag), then flags
 * of the last one: all of it call it, after the item with saw_count nonzero
 * found the count full.
 */
SHMEMD_FN void shmemd_count_before_flag(int saw_count, int stores_flag)
{
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && saw_count)
		shmemd_fence_acquire();
	shmemd_wg_barrier();
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && stores_flag)
		shmemd_release(shmemd_block.near != 0);
}

/* One item's store of a flag, after all that it wrote before. */
SHMEMD_FN void shmemd_flag_store(uint64_t *flag, uint64_t v)
{
	shmemd_release(shmemd_block.near != 0);
	shmemd_store64(flag, v);
}

/* One item's load of a flag, before all that it reads after. */
SHMEMD_FN uint64_t shmemd_flag_load(const uint64_t *flag)
{
	const uint64_t v = shmemd_load64(flag);

	shmemd_fence_acquire();
	return v;
}

/*
 * shmem_quiet where loads and stores reach: all accesses of all of s are done
 * before any later one of theirs; one order that all PEs agree on.
 */
SHMEMD_FN void shmemd_quiet(enum shmemd_scope s)
{
	if (!SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_scope_sync(s);
	if (SHMEMD_RELEASE_BEFORE_BARRIER || shmemd_scope_index(s) == 0)
		shmemd_fence_full();
	shmemd_scope_sync(s);
}

/*
 * shmem_fence where loads and stores reach: stores and atomics of all of s,
 * then any later ones of theirs.
 */
SHMEMD_FN void shmemd_fence(enum shmemd_scope s)
{
	if (!SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_scope_sync(s);
	if (SHMEMD_RELEASE_BEFORE_BARRIER || shmemd_scope_index(s) == 0)
		shmemd_fence_release();
	shmemd_scope_sync(s);
}

/* Quiet and fence for puts and atomics alone: no write-back is owed to them. */
SHMEMD_FN void shmemd_quiet_puts(enum shmemd_scope s)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_wait_stores();
	else
		shmemd_scope_sync(s);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && shmemd_scope_index(s) == 0)
		shmemd_fence_release();
	shmemd_scope_sync(s);
}

/*
 * What all of s wrote, then the entry that its item 0 publishes: all of s call
 * it before.
 */
SHMEMD_FN void shmemd_payload_before_entry(enum shmemd_scope s)
{
	if (s == SHMEMD_THREAD)
		return;
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_fence_release();
	shmemd_scope_sync(s);
}

/*
 * Entries of a gang in a ring, and what they point at, then the stamp that
 * its first item stores. by_address: my entry has addresses of this device's
 * memory, where caches may hold what I wrote; else it says all itself.
 */
SHMEMD_FN void shmemd_entry_before_publish(const struct shmemd_gang *gang,
					   int by_address)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER && by_address)
		shmemd_fence_release();
	else if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_wait_stores();
	shmemd_gang_sync(gang);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && gang->index == 0)
		shmemd_fence_release();
}

/*
 * What all of s wrote, then the queue's entry that item 0 makes of it: all of s
 * call it first. No write-back is in there: source_before_entry pays one for
 * all of them.
 */
SHMEMD_FN void shmemd_group_before_entry(enum shmemd_scope s)
{
	if (s == SHMEMD_THREAD)
		return;
	shmemd_wait_stores();
	shmemd_scope_sync(s);
}

/*
 * Sources in this device's memory, then queue entries that name them, by the
 * gang that makes these. owed: caches may hold what was written there.
 */
SHMEMD_FN void shmemd_source_before_entry(int owed)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER && owed)
		shmemd_fence_release();
}

/* Entries of a gang, by bypassing stores, then the queue's record. */
SHMEMD_FN void shmemd_entry_before_record(const struct shmemd_gang *gang)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_wait_stores();
	shmemd_gang_sync(gang);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && gang->index == 0)
		shmemd_fence_release();
}

/*
 * The count by which a gang's item 0 saw that it is their turn, then what they
 * do with what those before them left: record, doorbell, the format's words.
 */
SHMEMD_FN void shmemd_turn_before_record(const struct shmemd_gang *gang)
{
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && gang->index == 0)
		shmemd_fence_acquire();
	shmemd_gang_sync(gang);
}

/* One item's store of the record, then its store to the doorbell. */
SHMEMD_FN void shmemd_record_before_doorbell(void)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_wait_stores();
	else
		shmemd_fence_release();
}

/*
 * One item's stores to record, doorbell and the format's words, then that of
 * the count which gives others their turn.
 */
SHMEMD_FN void shmemd_doorbell_before_turn(void)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_wait_stores();
	else
		shmemd_fence_release();
}

/*
 * One item's load of a completion, before its bypassing loads (load128) of the
 * cell where the NIC wrote a result; and these, before its store that gives the
 * cell back. Such loads are waited for and hit no cache on AMD.
 */
SHMEMD_FN void shmemd_completion_before_cell(void)
{
	if (!SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_fence_acquire();
}

SHMEMD_FN void shmemd_cell_before_release(void)
{
	if (!SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_fence_release_near();
}

/* What a failure's record says, then the word that ends waits. */
SHMEMD_FN void shmemd_failure_before_end(void)
{
	shmemd_fence_release();
}

/* One item's load of a completion, before what the NIC wrote before it. */
SHMEMD_FN void shmemd_completion_before_result(void)
{
	shmemd_fence_acquire();
}

/* One item's load of a ring's count, before what the host did for it. */
SHMEMD_FN void shmemd_done_before_result(void)
{
	shmemd_fence_acquire();
}

/* One item's loads of a cell, before its store that gives the cell back. */
SHMEMD_FN void shmemd_result_before_release(void)
{
	shmemd_fence_release_near();
}

/* Begin of a group call: what its items wrote is seen by all of them. */
SHMEMD_FN void shmemd_enter(enum shmemd_scope s)
{
	shmemd_scope_sync(s);
}

/*
 * End of a blocking group call: its sources may be written again, and a quiet
 * by any one item of the group covers the stores of all.
 */
SHMEMD_FN void shmemd_leave(enum shmemd_scope s)
{
	if (s == SHMEMD_THREAD)
		return;
	shmemd_wait_stores();
	shmemd_scope_sync(s);
}

#endif
