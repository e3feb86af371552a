/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines are whole, marked, clean, and cost nothing while they are off. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"
#include "base/log.h"

#define NWRITERS 8
#define NLINES 200

static char text[CAPTURE_BYTES];
static int nfailed;

#define expect(condition) \
	((condition) ? (void)0 : failed(__LINE__, #condition))

static void failed(int line, const char *condition)
{
	fprintf(stderr, "log.c:%d: not %s; stderr was: %s\n", line, condition,
		text);
	nfailed++;
}

#define expect_line(call, line) \
	(capture_start(), call, capture_stop(text), \
	 expect(!strcmp(text, line)))

static void test_lines(void)
{
	expect_line(shmemi_log_error("heap: %d", 5), "sirocco: heap: 5\n");
	shmemi_log_set_pe(3);
	expect_line(shmemi_log_error("x"), "sirocco: PE 3: x\n");
	expect_line(shmemi_log_warn("x"), "sirocco: PE 3: warning: x\n");
	errno = ENOENT;
	expect_line(shmemi_log_error("%m"),
		    "sirocco: PE 3: No such file or directory\n");
	expect(errno == ENOENT);
	expect_line(shmemi_log_error("%s", "a\nb\033[1m\tc\177"),
		    "sirocco: PE 3: a?b?[1m?c?\n");
	shmemi_log_set_pe(-1);
	expect_line(shmemi_log_error("%s", "\xc3\xa9"),
		    "sirocco: \xc3\xa9\n");
}

static void test_length(void)
{
	char big[3000];
	size_t length, n;

	for (n = 900; n < 1100; n++) {
		memset(big, 'x', n);
		big[n] = '\0';
		capture_start();
		shmemi_log_error("%s", big);
		length = capture_stop(text);
		expect(length <= 1024 && text[length - 1] == '\n');
		if (strstr(text, "..."))
			expect(!strcmp(text + length - 5, "x...\n") &&
			       length == 1024);
		else
			expect(length == strlen("sirocco: ") + n + 1);
	}
	expect(strstr(text, "..."));
}

static int evaluated(int *n)
{
	return ++*n;
}

static void test_trace(void)
{
	int n = 0;

	shmemi_log_set_pe(0);
	expect_line(shmemi_trace(MEM, "%d", evaluated(&n)), "");
	expect(n == 0);
	shmemi_trace_mask = SHMEMI_TRACE_MEM;
	expect_line(shmemi_trace(MEM, "n=%d", evaluated(&n)),
		    "sirocco: PE 0: mem: n=1\n");
	expect_line(shmemi_trace(RMA, "off"), "");
	shmemi_trace_mask = ~0u;
	expect_line(shmemi_trace(BOOT, "on"), "sirocco: PE 0: boot: on\n");
	shmemi_trace_mask = 0;
}

static void hook_exit(int code)
{
	_exit(40 + code);
}

static void hook_return(int code)
{
	(void)code;
}

static int fatal_status(void (*hook)(int code))
{
	const pid_t child = fork();
	int status = -1;

	if (!child) {
		if (hook)
			shmemi_abort_hook = hook;
		shmemi_fatal("the end of %s", "it");
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_fatal(void)
{
	int status[3];

	shmemi_log_set_pe(7);
	capture_start();
	status[0] = fatal_status(NULL);
	status[1] = fatal_status(hook_exit);
	status[2] = fatal_status(hook_return);
	capture_stop(text);
	expect(status[0] == 1);
	expect(status[1] == 41);
	expect(status[2] == 1);
	expect(!strcmp(text, "sirocco: PE 7: the end of it\n"
			     "sirocco: PE 7: the end of it\n"
			     "sirocco: PE 7: the end of it\n"));
}

static void write_lines(int pe)
{
	int i;

	shmemi_log_set_pe(pe);
	for (i = 0; i < NLINES; i++)
		shmemi_log_error("%0900d", pe);
	_exit(0);
}

/* Each line that several processes wrote to one pipe is one process's. */
static void test_interleaving(void)
{
	char line[2048], whole[2048];
	int ends[2], pe, nlines = 0;
	FILE *in;

	if (pipe(ends))
		abort();
	for (pe = 0; pe < NWRITERS; pe++) {
		if (fork())
			continue;
		dup2(ends[1], STDERR_FILENO);
		write_lines(pe);
	}
	close(ends[1]);
	in = fdopen(ends[0], "r");
	while (fgets(line, sizeof(line), in)) {
		pe = atoi(line + strlen("sirocco: PE "));
		snprintf(whole, sizeof(whole), "sirocco: PE %d: %0900d\n", pe,
			 pe);
		if (strcmp(line, whole))
			break;
		nlines++;
	}
	fclose(in);
	while (wait(NULL) > 0)
		;
	expect(nlines == NWRITERS * NLINES);
}

int main(void)
{
	test_lines();
	test_length();
	test_trace();
	test_fatal();
	test_interleaving();
	return nfailed != 0;
}
