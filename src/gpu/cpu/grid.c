/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/cpu/grid.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/wait.h"
#include "gpu/cpu/cpu.h"
#include "gpu/cpu/items.h"

#define WAVE_DEFAULT 64

struct cpu_wg {
	struct cpu_group all; /* first */
	struct cpu_group waves[];
};

struct cpu_runner {
	struct cpu_fiber thread;
	struct cpu_queue ready;
	const struct cpu_launch *launch;
	unsigned int wave_size;
	unsigned int started, live; /* work-groups */
	unsigned int resident;	    /* live ones at most */
	bool vacant;		    /* another one may be able to start */
	unsigned int pauses;	    /* since anything else happened */
	struct shmemi_wait wait;
	struct cpu_pool pool;
};

static struct shmemd_work outside = {
	.nitems = 1,
	.nwgs = 1,
	.wave_size = WAVE_DEFAULT,
	.wave_items = 1,
};

/* Polls before a turn: a switch is as long as a few. */
#define CREDIT 32

__thread struct shmemd_work *shmemd_work = &outside;
__thread unsigned int shmemd_cpu_credit = CREDIT;

void shmemg_cpu_set_wave(int wave_size)
{
	outside.wave_size = (unsigned int)wave_size;
}

int shmemg_cpu_wave(void)
{
	return (int)outside.wave_size;
}

unsigned int cpu_grid_max_wgs(unsigned int n_items)
{
	return SANITIZE_ITEMS_MAX / n_items;
}

SANITIZE_NO_THREAD static struct cpu_item *item_self(void)
{
	return (struct cpu_item *)shmemd_work;
}

/* Goes on with the next work-item, or with the thread if there is none. */
SANITIZE_NO_THREAD static void item_switch(struct cpu_item *item, bool last)
{
	struct cpu_runner *runner = item->runner;
	struct cpu_item *next;

	if (!runner->ready.n || runner->vacant) {
		shmemd_work = &outside;
		cpu_fiber_switch(&item->fiber, &runner->thread, last);
		return;
	}
	next = cpu_queue_get(&runner->ready);
	shmemd_work = &next->work;
	cpu_fiber_switch(&item->fiber, &next->fiber, last);
}

SANITIZE_NO_THREAD static void runner_progress(struct cpu_runner *runner)
{
	runner->pauses = 0;
	runner->wait.polls = 0;
}

SANITIZE_NO_THREAD void cpu_item_progress(struct cpu_item *item)
{
	runner_progress(item->runner);
}

SANITIZE_NO_THREAD static void group_release(struct cpu_runner *runner,
					     struct cpu_group *group)
{
	group->met_first = group->first;
	group->met_sum = group->sum;
	group->sum = 0;
	group->arrived = 0;
	group->meetings++;
	cpu_queue_move(&runner->ready, &group->waiting);
	runner_progress(runner);
}

SANITIZE_NO_THREAD static void group_meet(struct cpu_item *item,
					  struct cpu_group *group,
					  unsigned int index, uint64_t v)
{
	if (!index)
		group->first = v;
	group->sum += v;
	sanitize_release(group);
	if (++group->arrived == group->live) {
		group_release(item->runner, group);
	} else {
		cpu_queue_put(&group->waiting, item);
		item_switch(item, false);
	}
	sanitize_acquire(group);
}

SANITIZE_NO_THREAD static void group_leave(struct cpu_runner *runner,
					   struct cpu_group *group)
{
	sanitize_release(group);
	if (--group->live && group->arrived == group->live)
		group_release(runner, group);
}

SANITIZE_NO_THREAD void shmemd_cpu_end(void)
{
	struct cpu_item *item = item_self();
	struct cpu_runner *runner = item->runner;

	if (!item->work.in_kernel)
		shmemi_fatal("a routine of kernels failed outside of a kernel");
	sanitize_frames_end();
	cpu_gangs_leave(item);
	sanitize_release(runner);
	group_leave(runner, item->wave);
	group_leave(runner, item->all);
	if (!item->all->live) {
		free(item->all);
		runner->live--;
		runner->vacant = runner->started < runner->launch->n_wgs;
	}
	runner_progress(runner);
	item->next = runner->pool.free;
	runner->pool.free = item;
	item_switch(item, true);
	__builtin_unreachable();
}

SANITIZE_NO_THREAD static void item_entry(void)
{
	struct cpu_item *item = item_self();

	cpu_fiber_begun(&item->fiber);
	sanitize_acquire(item->runner);
	item->runner->launch->kernel(item->runner->launch->args);
	shmemd_cpu_end();
}

static void item_start(struct cpu_runner *runner, struct cpu_wg *wg,
		       unsigned int i)
{
	const struct cpu_launch *launch = runner->launch;
	const unsigned int wave_size = runner->wave_size;
	const unsigned int wave = i / wave_size;
	const unsigned int rest = launch->n_items - wave * wave_size;
	struct cpu_item *item = runner->pool.free;

	runner->pool.free = item->next;
	item->work.item = i;
	item->work.nitems = launch->n_items;
	item->work.wg = runner->started;
	item->work.nwgs = launch->n_wgs;
	item->work.lane = i % wave_size;
	item->work.wave_size = wave_size;
	item->work.wave_items = rest < wave_size ? rest : wave_size;
	item->work.in_kernel = 1;
	item->runner = runner;
	item->all = &wg->all;
	item->wave = &wg->waves[wave];
	item->all->live++;
	item->wave->live++;
	if (cpu_fiber_make(&item->fiber, item_entry))
		shmemi_fatal("can't make a work-item of kernel %s",
			     launch->name);
	cpu_queue_put(&runner->ready, item);
}

static void wg_start(struct cpu_runner *runner)
{
	const unsigned int n_items = runner->launch->n_items;
	const unsigned int n_waves = (n_items - 1) / runner->wave_size + 1;
	struct cpu_wg *wg =
		calloc(1, sizeof(*wg) + n_waves * sizeof(*wg->waves));

	if (!wg)
		shmemi_fatal("no memory for a work-group of kernel %s",
			     runner->launch->name);
	for (unsigned int i = 0; i < n_items; i++)
		item_start(runner, wg, i);
	runner->started++;
	runner->live++;
}

struct cpu_runner *cpu_runner_create(void)
{
	struct cpu_runner *runner = calloc(1, sizeof(*runner));

	if (runner)
		cpu_fiber_adopt(&runner->thread);
	return runner;
}

void cpu_runner_destroy(struct cpu_runner *runner)
{
	cpu_pool_clear(&runner->pool);
	free(runner);
}

void cpu_runner_rest(struct cpu_runner *runner)
{
	cpu_pool_rest(&runner->pool);
}

/* All work-items that are there, until each has ended or waits. */
SANITIZE_NO_THREAD static void runner_dispatch(struct cpu_runner *runner)
{
	struct cpu_item *first = cpu_queue_get(&runner->ready);

	sanitize_release(runner);
	shmemd_work = &first->work;
	cpu_fiber_switch(&runner->thread, &first->fiber, false);
	sanitize_acquire(runner);
}

SANITIZE_NO_THREAD static bool runner_has_room(const struct cpu_runner *runner)
{
	return runner->started < runner->launch->n_wgs &&
	       runner->live < runner->resident;
}

/* As many work-groups as there are stacks for, at least one. */
static void runner_fill(struct cpu_runner *runner)
{
	const unsigned int n_items = runner->launch->n_items;

	runner->vacant = false;
	while (runner_has_room(runner)) {
		if (cpu_pool_grow(&runner->pool, (runner->live + 1) * n_items,
				  n_items)) {
			if (runner->live)
				return;
			shmemi_fatal("no memory for the stacks of %u "
				     "work-items of kernel %s: each takes 2 "
				     "of vm.max_map_count mappings",
				     n_items, runner->launch->name);
		}
		wg_start(runner);
	}
}

void cpu_runner_run(struct cpu_runner *runner, const struct cpu_launch *launch)
{
	runner->launch = launch;
	runner->wave_size = outside.wave_size;
	runner->started = 0;
	runner->resident = cpu_grid_max_wgs(launch->n_items);
	runner_progress(runner);
	for (;;) {
		runner_fill(runner);
		if (!runner->ready.n)
			break;
		runner_dispatch(runner);
	}
	if (runner->live)
		shmemi_fatal("kernel %s: work-items wait in a barrier that "
			     "others of their group will not reach",
			     launch->name);
}

void shmemd_cpu_wave_barrier(void)
{
	shmemd_cpu_wave_bcast(0);
}

void shmemd_cpu_wg_barrier(void)
{
	shmemd_cpu_wg_bcast(0);
}

SANITIZE_NO_THREAD uint64_t shmemd_cpu_wave_bcast(uint64_t v)
{
	struct cpu_item *item = item_self();

	if (!item->work.in_kernel)
		return v;
	group_meet(item, item->wave, item->work.lane, v);
	return item->wave->met_first;
}

SANITIZE_NO_THREAD uint64_t shmemd_cpu_wg_bcast(uint64_t v)
{
	struct cpu_item *item = item_self();

	if (!item->work.in_kernel)
		return v;
	group_meet(item, item->all, item->work.item, v);
	return item->all->met_first;
}

SANITIZE_NO_THREAD uint64_t shmemd_cpu_wg_sum(uint64_t v)
{
	struct cpu_item *item = item_self();

	if (!item->work.in_kernel)
		return v;
	group_meet(item, item->all, item->work.item, v);
	return item->all->met_sum;
}

/* A meeting to which some bring numbers; returns all of them. */
SANITIZE_NO_THREAD static const union cpu_shown *
group_show(struct cpu_item *item, struct cpu_group *group, unsigned int index,
	   union cpu_shown v, bool brings)
{
	union cpu_shown *shown = group->shown[group->meetings % 2];

	if (brings)
		shown[index] = v;
	group_meet(item, group, 1, 0);
	return shown;
}

SANITIZE_NO_THREAD uint64_t shmemd_cpu_wave_get(uint64_t v, unsigned int lane)
{
	struct cpu_item *item = item_self();
	const union cpu_shown mine = { .word = v };

	if (!item->work.in_kernel)
		return v;
	return group_show(item, item->wave, item->work.lane, mine, true)[lane]
		.word;
}

SANITIZE_NO_THREAD static float wave_fold(float v, unsigned int width,
					  float (*fold)(float, float))
{
	struct cpu_item *item = item_self();
	const unsigned int lane = item->work.lane;
	const unsigned int first = lane / width * width;
	const union cpu_shown mine = { .real = v };
	const union cpu_shown *shown;
	float of[CPU_SHOWN_MAX];

	if (!item->work.in_kernel)
		return v;
	shown = group_show(item, item->wave, lane, mine, true);
	if (first + width > item->work.wave_items)
		return __builtin_nanf("");
	for (unsigned int i = 0; i < width; i++)
		of[i] = shown[first + i].real;
	for (unsigned int n = width / 2; n; n /= 2)
		for (unsigned int i = 0; i < n; i++)
			of[i] = fold(of[2 * i], of[2 * i + 1]);
	return of[0];
}

static float larger(float a, float b)
{
	return a > b ? a : b;
}

static float sum(float a, float b)
{
	return a + b;
}

float shmemd_cpu_wave_max(float v, unsigned int width)
{
	return wave_fold(v, width, larger);
}

float shmemd_cpu_wave_sum(float v, unsigned int width)
{
	return wave_fold(v, width, sum);
}

SANITIZE_NO_THREAD float shmemd_cpu_wg_sum_waves(float v)
{
	struct cpu_item *item = item_self();
	const unsigned int size = item->work.wave_size;
	const unsigned int n = (item->work.nitems - 1) / size + 1;
	const union cpu_shown mine = { .real = v };
	const union cpu_shown *shown;

	if (!item->work.in_kernel)
		return v;
	shown = group_show(item, item->all, item->work.item / size, mine,
			   !item->work.lane);
	v = shown[0].real;
	for (unsigned int wave = 1; wave < n; wave++)
		v += shown[wave].real;
	return v;
}

/*
 * A round in which all that can run have paused is one poll of a wait: then
 * the core goes to those who are waited for. They may be work-groups that had
 * no stacks.
 */
SANITIZE_NO_THREAD void cpu_item_turn(struct cpu_item *item)
{
	struct cpu_runner *runner = item->runner;

	if (++runner->pauses > runner->ready.n) {
		struct shmemi_wait wait = runner->wait;

		runner->pauses = 0;
		shmemi_wait_once(&wait);
		runner->wait = wait;
		runner->vacant = runner_has_room(runner);
	}
	if (!runner->ready.n && !runner->vacant)
		return;
	cpu_queue_put(&runner->ready, item);
	item_switch(item, false);
}

/* A wait that begins ends naps. */
SANITIZE_NO_THREAD void shmemd_cpu_pause(struct shmemd_pause *pause)
{
	struct cpu_item *item = item_self();

	if (!item->work.in_kernel) {
		struct shmemi_wait wait = { pause->n };

		shmemi_wait_once(&wait);
		pause->n = wait.polls;
		return;
	}
	if (!pause->n++ && item->runner->wait.polls > shmemi_wait_spin)
		item->runner->wait.polls = shmemi_wait_spin;
	cpu_item_turn(item);
}

SANITIZE_NO_THREAD void shmemd_cpu_turn(void)
{
	struct cpu_item *item = item_self();

	__atomic_store_n(&shmemd_cpu_credit, CREDIT, __ATOMIC_RELAXED);
	if (item->work.in_kernel)
		cpu_item_turn(item);
}

uint64_t shmemd_cpu_clock(void)
{
	return shmemi_now_ns();
}
