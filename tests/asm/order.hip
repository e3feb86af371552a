/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One kernel for each helper of order.h and each scope, between the accesses
 * that it orders, and for packets, for the rules in order.rules. Short enough
 * that the text's order is that of execution.
 */
#include <shmem.h>

#define KERNEL(name, ...) \
	extern "C" __attribute__((global)) void name(__VA_ARGS__)

/* Item 0 of the scope stores the flag after all items' payload. */
#define ORDERS(name, s) \
	KERNEL(name##_payload_flag, uint64_t *data, uint64_t *flag) \
	{ \
		const int first = shmemd_scope_index(s) == 0; \
\
		data[shmemd_item()] = 1; \
		shmemd_payload_before_flag(s, first); \
		if (first) \
			shmemd_store64(flag, 1); \
	} \
	KERNEL(name##_put_flag, struct shmemd_vec *dst, struct shmemd_vec v, \
	       uint64_t *flag) \
	{ \
		const int first = shmemd_scope_index(s) == 0; \
\
		shmemd_store128(dst + shmemd_item(), v); \
		shmemd_put_before_flag(s, first, 0); \
		if (first) \
			shmemd_store64(flag, 1); \
	} \
	KERNEL(name##_flag_payload, const uint64_t *flag, const int *data, \
	       int *out) \
	{ \
		while (shmemd_load64(flag + shmemd_item()) != 1) \
			; \
		shmemd_flag_before_payload(s); \
		out[shmemd_item()] = data[shmemd_item()]; \
	} \
	KERNEL(name##_quiet_puts, struct shmemd_vec *dst, struct shmemd_vec v, \
	       uint64_t *after) \
	{ \
		shmemd_store128(dst + shmemd_item(), v); \
		shmemd_quiet_puts(s); \
		shmemd_store64(after + shmemd_item(), 1); \
	} \
	KERNEL(name##_quiet, uint64_t *data, const int *other, int *out) \
	{ \
		shmemd_store64(data + shmemd_item(), 1); \
		shmemd_quiet(s); \
		out[shmemd_item()] = other[shmemd_item()]; \
	} \
	KERNEL(name##_fence, uint64_t *data, uint64_t *after) \
	{ \
		data[shmemd_item()] = 1; \
		shmemd_fence(s); \
		shmemd_store64(after + shmemd_item(), 1); \
	} \
	KERNEL(name##_leave, struct shmemd_vec *dst, struct shmemd_vec v, \
	       uint64_t *after) \
	{ \
		shmemd_store128(dst + shmemd_item(), v); \
		shmemd_leave(s); \
		shmemd_store64(after + shmemd_item(), 1); \
	}
ORDERS(thread, SHMEMD_THREAD)
ORDERS(wave, SHMEMD_WAVE)
ORDERS(wg, SHMEMD_WG)

KERNEL(thread_flag_store, uint64_t *data, uint64_t *flag)
{
	data[shmemd_item()] = 1;
	shmemd_flag_store(flag + shmemd_item(), 1);
}

KERNEL(thread_flag_load, const uint64_t *flag, const int *data, int *out)
{
	const uint64_t v = shmemd_flag_load(flag + shmemd_item());

	out[shmemd_item()] = data[shmemd_item()] + (int)v;
}

/* What the wave that signals has stored itself is done long before. */
KERNEL(wg_idle_flag, uint64_t *data, uint64_t *flag)
{
	data[shmemd_item()] = 1;
	shmemd_payload_before_flag(SHMEMD_WG, 1);
	shmemd_payload_before_flag(SHMEMD_WG, 1);
	if (shmemd_item() == 0)
		shmemd_store64(flag, 1);
}

KERNEL(thread_packet_send, char *packets, uint64_t data, uint32_t seq)
{
	shmemd_packet_send(packets, shmemd_item(), data, seq);
}

KERNEL(thread_packet_await, const char *packets, uint32_t seq, uint64_t *out)
{
	out[shmemd_item()] = shmemd_packet_await(packets, shmemd_item(), seq);
}

KERNEL(thread_packet_await4, const char *packets, uint32_t seq, uint64_t *out)
{
	struct shmemd_vec v[4];

	shmemd_packet_await4(v, packets, shmemd_item(), shmemd_nitems(), seq);
	out[shmemd_item()] = v[0].a + v[1].a + v[2].b + v[3].b;
}
