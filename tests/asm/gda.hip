/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Posts to queues, for gda.sh. With POST_FORMAT the format is known everywhere,
 * so that the way of one entry to one kind of doorbell is all that there is;
 * else the kernels are as programs have them.
 */
#ifdef POST_FORMAT
#include <shmem/device/module.h>

SHMEMD_FN const struct shmemd_block *post_block(void)
{
	__builtin_assume(shmemd_block.gda.format == POST_FORMAT);
	return &shmemd_block;
}
#define shmemd_block (*post_block())
#endif
#include <shmem.h>

#include <shmem/device/gda.h>

#define KERNEL(name, ...) \
	extern "C" __attribute__((global)) void name(__VA_ARGS__)

#ifdef POST_FORMAT
SHMEMD_FN struct gda_call call_of(struct shmemd_gda_queue *q, uint32_t options,
				  uint32_t way, const char *theirs,
				  const void *mine, uint32_t bytes)
{
	const uint32_t at = shmemd_lane() * bytes;
	struct gda_end end;
	struct gda_call call;

	/* As from a table: that all have the same one, no compiler knows. */
	__asm__ volatile("" : "+v"(q));
	end.q = q;
	end.options = options;
	call = gda_call_of(&end, way, theirs + at, bytes);
	call.x = (uint64_t)(uintptr_t)mine + at;
	return call;
}

SHMEMD_FN void post(struct shmemd_gda_queue *q, uint32_t options, uint32_t way,
		    const char *theirs, const void *mine, uint32_t bytes)
{
	const struct gda_call call =
		call_of(q, options, way, theirs, mine, bytes);

	(void)gda_send(&call);
}

KERNEL(thread_put, struct shmemd_gda_queue *q, char *theirs, const char *mine)
{
	if (shmemd_lane() == 0)
		post(q, 0, GDA_PUT, theirs, mine, 4096);
}
KERNEL(wave_puts, struct shmemd_gda_queue *q, char *theirs, const char *mine)
{
	post(q, 0, GDA_PUT, theirs, mine, 4096);
}
KERNEL(wave_visible, struct shmemd_gda_queue *q, char *theirs,
       const char *mine)
{
	post(q, SHMEMX_CTX_VISIBLE, GDA_PUT, theirs, mine, 4096);
}
KERNEL(wave_words, struct shmemd_gda_queue *q, char *theirs, const char *v)
{
	post(q, 0, GDA_WORD, theirs, v, 8);
}
KERNEL(wave_adds, struct shmemd_gda_queue *q, char *theirs, const char *v)
{
	post(q, 0, (uint32_t)GDA_AMO + SHMEMD_ADD, theirs, v, 8);
}
KERNEL(wave_put_signal, struct shmemd_gda_queue *q, char *theirs,
       const char *mine, char *signal, uint64_t v)
{
	struct gda_call call = call_of(q, 0, GDA_PUT, theirs, mine, 4096);

	call.then = GDA_THEN_SET;
	call.of_signal = 1;
	call.y = (uint64_t)(uintptr_t)signal + shmemd_lane() * 8;
	call.z = v;
	(void)gda_send(&call);
}
#else
KERNEL(any_put, char *d, const char *s, size_t n, int pe)
{
	gda_dev_put(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, d, s, n, pe, 0);
}
KERNEL(any_get, char *d, const char *s, size_t n, int pe)
{
	gda_dev_get(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, d, s, n, pe, 0);
}
KERNEL(any_p, uint64_t *d, uint64_t v, int pe)
{
	gda_dev_p(SHMEM_CTX_DEFAULT, d, v, 8, pe);
}
KERNEL(any_put_signal, char *d, const char *s, size_t n, uint64_t *sig, int pe)
{
	gda_dev_put_signal(SHMEMD_WG, SHMEM_CTX_DEFAULT, d, s, n, sig, 1,
			   SHMEM_SIGNAL_ADD, pe, 1);
}
KERNEL(any_add, uint64_t *d, int pe)
{
	(void)gda_dev_amo(SHMEM_CTX_DEFAULT, SHMEMD_ADD, 8, d, 1, 0, 0, pe);
}
KERNEL(any_fetch_xor, uint32_t *d, uint32_t *out, int pe)
{
	out[shmemd_item()] = (uint32_t)gda_dev_amo(
		SHMEM_CTX_DEFAULT, SHMEMD_XOR, 4, d, 1, 0, 1, pe);
}
KERNEL(any_quiet) { gda_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT); }
#endif
