/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Globals and function statics of the executable are symmetric, those of a
 * shared library are not; local ends may lie anywhere: stack, read-only data,
 * malloc, the library. One call may mix heap and static data. Run by
 * static_data.sh, linked as PIE and not as PIE.
 */
#include "check.h"
#include "dso.h"

long global_zero;
long global_set = 17;
static char file_static[10000] = "initialised";
static uint64_t signal;
static const long constant[4] = { 2, 3, 5, 7 };

static int me, n, next, previous;

static long *function_static(void)
{
	static long value = 23;

	return &value;
}

static void ring(long *variable, long value)
{
	shmem_barrier_all();
	CHECK_EQ(shmem_addr_accessible(variable, next), 1);
	CHECK(shmem_ptr(variable, me) == variable);
	shmem_long_p(variable, value + me, next);
	shmem_barrier_all();
	CHECK_EQ(*variable, value + previous);
	CHECK_EQ(shmem_long_g(variable, next), value + me);
}

static void not_symmetric(void)
{
	long local = 0, *block = malloc(sizeof(*block));
	const void *addresses[] = { &local, block, constant, dso_static(),
				    dso_global(), stdout, NULL,
				    (void *)(uintptr_t)check_that,
				    (void *)UINTPTR_MAX };

	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		CHECK_EQ(shmem_addr_accessible(addresses[i], next), 0);
		CHECK_EQ(shmem_addr_accessible(addresses[i], me), 0);
		CHECK(!shmem_ptr(addresses[i], next));
		CHECK(!shmem_ptr(addresses[i], me));
		CHECK(!shmem_team_ptr(SHMEM_TEAM_WORLD, addresses[i], next));
	}
	free(block);
}

static void local_ends(long *heap)
{
	long stack[4] = { 0 }, *block = calloc(4, sizeof(*block));

	shmem_barrier_all();
	shmem_long_put(heap, constant, 4, next);
	shmem_barrier_all();
	shmem_long_get(stack, heap, 4, next);
	shmem_long_get(block, heap, 4, next);
	shmem_long_get(dso_static(), heap, 4, next);
	CHECK(!memcmp(heap, constant, sizeof(constant)));
	CHECK(!memcmp(stack, constant, sizeof(constant)));
	CHECK(!memcmp(block, constant, sizeof(constant)));
	CHECK(!memcmp(dso_static(), constant, sizeof(constant)));
	shmem_barrier_all();
	stack[0] = *block = me;
	shmem_long_put(&heap[0], stack, 1, next);
	shmem_long_put(&heap[1], block, 1, next);
	shmem_long_put(&heap[2], dso_global(), 1, next);
	shmem_barrier_all();
	CHECK_EQ(heap[0], previous);
	CHECK_EQ(heap[1], previous);
	CHECK_EQ(heap[2], 5);
	free(block);
}

static void mixed(char *heap, uint64_t *heap_signal)
{
	char text[32];

	snprintf(text, sizeof(text), "from %d", me);
	shmem_barrier_all();
	shmem_putmem_signal(file_static + 4321, text, sizeof(text),
			    heap_signal, 1, SHMEM_SIGNAL_ADD, next);
	shmem_putmem_signal(heap, text, sizeof(text), &signal, 1,
			    SHMEM_SIGNAL_ADD, next);
	shmem_signal_wait_until(heap_signal, SHMEM_CMP_EQ, 1);
	shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
	snprintf(text, sizeof(text), "from %d", previous);
	CHECK(!strcmp(heap, text));
	CHECK(!strcmp(file_static + 4321, text));
	CHECK(!strcmp(file_static, "initialised"));
}

int main(void)
{
	long *heap;

	CHECK_EQ(global_set, 17);
	global_set = 19;
	shmem_init();
	CHECK_EQ(global_set, 19);
	CHECK_EQ(*function_static(), 23);
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	heap = shmem_calloc(100, sizeof(*heap));
	ring(&global_zero, 100);
	ring(&global_set, 200);
	ring(function_static(), 300);
	ring((long *)(file_static + sizeof(file_static) - sizeof(long)), 400);
	ring(heap, 500);
	not_symmetric();
	local_ends(heap);
	mixed((char *)(heap + 10), (uint64_t *)(heap + 99));
	CHECK_EQ(*dso_global(), 5);
	shmem_free(heap);
	return check_end();
}
