/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nic_impl.h"

static struct {
	uint64_t delay_ns, drop, error, port_down, atomics, seed;
	enum ibv_wc_status status;
	int reorder, atomics_apart, count, strict;
} plan;
static uint64_t n_requests;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t number(char **at, const char *what)
{
	char *end = *at;
	uint64_t n = 0;

	if (*end == ':')
		n = strtoull(*at + 1, &end, 0);
	if (end <= *at + 1)
		nic_refuse("NIC_FAULT: %s needs a number", what);
	*at = end;
	return n;
}

static int is(const char *word, const char *name)
{
	const size_t n = strlen(name);

	return !strncmp(word, name, n) && (!word[n] || word[n] == ':');
}

static void fault_read(char *word)
{
	char *at = word + strcspn(word, ":");

	if (is(word, "delay")) {
		plan.delay_ns = number(&at, "delay") * 1000;
	} else if (is(word, "drop")) {
		plan.drop = number(&at, "drop");
	} else if (is(word, "error")) {
		plan.error = number(&at, "error");
		plan.status = (enum ibv_wc_status)number(&at, "error's code");
	} else if (is(word, "port_down")) {
		plan.port_down = number(&at, "port_down");
	} else if (is(word, "atomics")) {
		plan.atomics = number(&at, "atomics");
	} else if (is(word, "atomics_apart")) {
		plan.atomics_apart = 1;
	} else if (is(word, "reorder")) {
		plan.reorder = 1;
	} else {
		nic_refuse("NIC_FAULT: there is no \"%s\"", word);
	}
	if (*at)
		nic_refuse("NIC_FAULT: \"%s\" is too much", at);
}

static void faults_read(void)
{
	const char *text = getenv("NIC_FAULT");
	char *copy = text ? strdup(text) : NULL;
	char *rest, *word;

	if (!copy)
		return;
	for (word = strtok_r(copy, ",", &rest); word;
	     word = strtok_r(NULL, ",", &rest))
		fault_read(word);
	free(copy);
}

static void seed_read(void)
{
	const char *seed = getenv("NIC_SEED");

	plan.seed = seed ? strtoull(seed, NULL, 0) :
			   nic_now_ns() ^ (uint64_t)getpid() << 40;
	if (plan.reorder)
		nic_say("NIC_SEED=%llu", (unsigned long long)plan.seed);
	plan.seed |= 1;
}

static void read_all(void)
{
	const char *mode = getenv("NIC_MODE");

	plan.atomics = UINT64_MAX;
	plan.count = mode && strstr(mode, "count");
	plan.strict = mode && strstr(mode, "strict");
	faults_read();
	seed_read();
}

static void plan_ready(void)
{
	pthread_once(&once, read_all);
}

struct nic_fault nic_fault_next(void)
{
	const uint64_t n = ++n_requests;
	struct nic_fault fault;

	plan_ready();
	fault.delay_ns = plan.delay_ns;
	fault.drop = n == plan.drop;
	fault.port_down = n == plan.port_down;
	fault.status = n == plan.error ? plan.status : IBV_WC_SUCCESS;
	return fault;
}

int nic_fault_reorder(void)
{
	plan_ready();
	return plan.reorder;
}

/* xorshift */
uint64_t nic_fault_random(void)
{
	plan_ready();
	plan.seed ^= plan.seed << 13;
	plan.seed ^= plan.seed >> 7;
	plan.seed ^= plan.seed << 17;
	return plan.seed;
}

uint64_t nic_fault_atomics(void)
{
	plan_ready();
	return plan.atomics;
}

int nic_fault_atomics_apart(void)
{
	plan_ready();
	return plan.atomics_apart;
}

int nic_mode_count(void)
{
	plan_ready();
	return plan.count;
}

int nic_mode_strict(void)
{
	plan_ready();
	return plan.strict;
}
