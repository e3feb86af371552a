/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages: one line each, `sirocco: PE 3: ...`, by a single write(2) to
 * stderr, so that lines of several PEs do not interleave.  No newline at the
 * end of a format.  Control characters in the text are shown as '?', what does
 * not fit in a line of 1 KiB is cut and ends in "...".  errno is preserved.
 * Thread-safe, and needs no initialisation.
 */
#ifndef SHMEMI_LOG_H
#define SHMEMI_LOG_H

/* The words of SHMEM_DEBUG. */
#define SHMEMI_TRACE_CLASSES(X) \
	X(INIT, init) X(MEM, mem) X(RMA, rma) X(AMO, amo) X(SYNC, sync) \
	X(COLL, coll) X(TEAM, team) X(CTX, ctx) X(BOOT, boot)

#define SHMEMI_TRACE_INDEX(NAME, word) SHMEMI_TRACE_##NAME##_BIT,
enum { SHMEMI_TRACE_CLASSES(SHMEMI_TRACE_INDEX) SHMEMI_TRACE_NCLASSES };
#undef SHMEMI_TRACE_INDEX

#define SHMEMI_TRACE_MASK(NAME, word) \
	SHMEMI_TRACE_##NAME = 1u << SHMEMI_TRACE_##NAME##_BIT,
enum { SHMEMI_TRACE_CLASSES(SHMEMI_TRACE_MASK) };
#undef SHMEMI_TRACE_MASK

/* By SHMEMI_TRACE_<CLASS>_BIT; NULL ends the list. */
extern const char *const shmemi_trace_words[SHMEMI_TRACE_NCLASSES + 1];

/* Classes that are on: bits SHMEMI_TRACE_<CLASS>.  Set once, at init. */
extern unsigned int shmemi_trace_mask;

/* Called by shmemi_fatal(); must not return.  The default is _exit(). */
extern void (*shmemi_abort_hook)(int code);

/* The PE that messages carry from now on; -1, as at start, is none. */
void shmemi_log_set_pe(int pe);

void shmemi_log_error(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));
void shmemi_log_warn(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));

/* Prints the line and ends the job: shmemi_abort_hook(1). */
_Noreturn void shmemi_fatal(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));

/* Body of shmemi_trace(); @class_bit is SHMEMI_TRACE_<CLASS>_BIT. */
void shmemi_trace_line(int class_bit, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

/* shmemi_trace(MEM, "fmt", ...): one predicted branch while MEM is off. */
#define shmemi_trace_on(CLASS) \
	__builtin_expect((shmemi_trace_mask & SHMEMI_TRACE_##CLASS) != 0, 0)
#define shmemi_trace(CLASS, ...) \
	(shmemi_trace_on(CLASS) ? \
	 shmemi_trace_line(SHMEMI_TRACE_##CLASS##_BIT, __VA_ARGS__) : (void)0)

#endif
