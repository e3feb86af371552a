/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of a whole command, from fork to exit, as in
 *	startup oshrun -n 64 perf/memory --init-only
 *	startup mpirun -n 64 /bin/true
 */
#include <err.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "bench.h"

extern char **environ;

static long failed;

static void run_once(char **argv)
{
	posix_spawn_file_actions_t files;
	int rc, status;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);
	rc = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	if (rc)
		errx(1, "cannot start %s: %s", argv[0], strerror(rc));
	if (waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		failed++;
}

static void run(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++)
		run_once(c->argv);
}

static size_t check(const struct bench_case *c)
{
	if (failed)
		errx(1, "%s did not end with status 0", c->argv[0]);
	return 0;
}

static const struct bench_test tests[] = {
	{ .name = "command",
	  .what = "the command from fork to exit",
	  .cold = true,
	  .run = run,
	  .check = check },
};

static const struct bench_program program = {
	.name = "startup",
	.what = "The time of a command from start to end; wants --iters=1.",
	.tests = tests,
	.ntests = 1,
	.min_pes = 1,
	.sizes = "8",
	.src_blocks = 1,
	.dst_blocks = 1,
	.takes_command = true,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
