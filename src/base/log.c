/* SPDX-License-Identifier: BSD-3-Clause */
#include "log.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 1024

struct line {
	char text[LINE_BYTES];
	size_t length;
};

unsigned int shmemi_trace_mask;
void (*shmemi_abort_hook)(int code) = _exit;
static int log_pe = -1;

#define TRACE_WORD(NAME, word) [SHMEMI_TRACE_##NAME##_BIT] = #word,
const char *const shmemi_trace_words[SHMEMI_TRACE_NCLASSES + 1] = {
	SHMEMI_TRACE_CLASSES(TRACE_WORD)
};
#undef TRACE_WORD

void shmemi_log_set_pe(int pe)
{
	__atomic_store_n(&log_pe, pe, __ATOMIC_RELAXED);
}

static void line_vappend(struct line *line, const char *fmt, va_list args)
{
	const size_t room = LINE_BYTES - line->length;
	const int n = vsnprintf(line->text + line->length, room, fmt, args);

	if (n < 0)
		return;
	if ((size_t)n < room) {
		line->length += (size_t)n;
		return;
	}
	line->length = LINE_BYTES - 1;
	memcpy(line->text + line->length - 3, "...", 3);
}

static void __attribute__((format(printf, 2, 3)))
line_append(struct line *line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line_vappend(line, fmt, args);
	va_end(args);
}

static void line_start(struct line *line)
{
	const int pe = __atomic_load_n(&log_pe, __ATOMIC_RELAXED);

	line->length = 0;
	line_append(line, "sirocco: ");
	if (pe >= 0)
		line_append(line, "PE %d: ", pe);
}

/* Text from outside must not forge a second line or drive a terminal. */
static void line_clean(struct line *line)
{
	size_t i;

	for (i = 0; i < line->length; i++)
		if ((unsigned char)line->text[i] < ' ' || line->text[i] == 0x7f)
			line->text[i] = '?';
}

/* A second write happens only if the first was cut short. */
static void line_write(struct line *line)
{
	const char *text = line->text;
	size_t left;
	ssize_t n;

	line_clean(line);
	line->text[line->length++] = '\n';
	for (left = line->length; left; left -= (size_t)n, text += n) {
		do
			n = write(STDERR_FILENO, text, left);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			return;
	}
}

static void log_line(const char *severity, const char *fmt, va_list args)
{
	const int saved_errno = errno;
	struct line line;

	line_start(&line);
	line_append(&line, "%s", severity);
	errno = saved_errno; /* for %m */
	line_vappend(&line, fmt, args);
	line_write(&line);
	errno = saved_errno;
}

void shmemi_log_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line("", fmt, args);
	va_end(args);
}

void shmemi_log_warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line("warning: ", fmt, args);
	va_end(args);
}

void shmemi_fatal(const char *fmt, ...)
{
	va_list args;

	/* A launcher that is gone reads no line, but peers can be told. */
	signal(SIGPIPE, SIG_IGN);
	va_start(args, fmt);
	log_line("", fmt, args);
	va_end(args);
	shmemi_abort_hook(1);
	_exit(1);
}

void shmemi_trace_line(int class_bit, const char *fmt, ...)
{
	char severity[16];
	va_list args;

	snprintf(severity, sizeof(severity),
		 "%s: ", shmemi_trace_words[class_bit]);
	va_start(args, fmt);
	log_line(severity, fmt, args);
	va_end(args);
}
