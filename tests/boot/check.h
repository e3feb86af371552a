/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a body in n forked PEs and judges how they ended. A PE's body returns
 * nothing; a failed CHECK ends the PE with PE_FAILED after a line.
 */
#ifndef TESTS_BOOT_CHECK_H
#define TESTS_BOOT_CHECK_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "boot/boot.h"

#define PE_FAILED 99
#define MAX_PES 64

#define CHECK(cond) check(cond, #cond, __FILE__, __LINE__)
#define CHECK_EQ(a, b) check_eq(a, b, #a " == " #b, __FILE__, __LINE__)

/* One page that all PEs of a run share. */
struct shared {
	atomic_int uid_ready, gate;
	unsigned char uid[BOOT_UID_BYTES];
	atomic_int pids[MAX_PES];
};

extern struct shared *shared;

void check(int ok, const char *what, const char *file, int line);
void check_eq(long a, long b, const char *what, const char *file, int line);
double check_now_s(void);
void check_sleep_ms(int ms);
/* From the environment's SEED or the clock; printed. */
unsigned check_seed(void);
uint32_t check_random(uint32_t *state);

/* A run: body(pe, n) in each of n processes, at most limit_s seconds. */
void run_start(const char *name, int n, void (*body)(int pe, int n));
void run_end(int limit_s);
/* Exit statuses after run_end(); 128 + signal where a signal ended the PE. */
int run_status(int pe);
/* Fails unless a PE printed text to stderr. */
void run_must_say(const char *text);
/* The usual: all PEs must exit with status 0. */
void run(const char *name, int n, void (*body)(int pe, int n));

/* Changing sizes, and one of 1 MiB: everybody's bytes arrive. */
void exchange_rounds(struct boot *b);
void exchange_once(struct boot *b, int round, size_t bytes);

/* PE 0 makes a uid, everybody gets it. */
const unsigned char *uid_share(int pe);
/* Opens with that uid, which must work. */
struct boot *uid_open(int pe, int n);
/* Returns when n PEs have come. */
void gate_pass(int n);

#endif
