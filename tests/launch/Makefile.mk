# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/launch/client
tests_launch_client_SOURCES = tests/launch/client.c
tests_launch_client_CPPFLAGS = $(AM_CPPFLAGS) $(PMIX_CFLAGS)
tests_launch_client_LDADD = $(PMIX_LIBS)

launch_tests = \
	tests/launch/abort.sh \
	tests/launch/bind.sh \
	tests/launch/crash_early.sh \
	tests/launch/exit_code.sh \
	tests/launch/export.sh \
	tests/launch/fork_fails.sh \
	tests/launch/hosts.sh \
	tests/launch/keys.sh \
	tests/launch/kill_guardian.sh \
	tests/launch/kill_launcher.sh \
	tests/launch/kill_pe.sh \
	tests/launch/kill_starting.sh \
	tests/launch/listen.sh \
	tests/launch/many.sh \
	tests/launch/mpirun.sh \
	tests/launch/mpmd.sh \
	tests/launch/nested.sh \
	tests/launch/not_found.sh \
	tests/launch/prterun.sh \
	tests/launch/signal_death.sh \
	tests/launch/signals.sh \
	tests/launch/srun.sh \
	tests/launch/stdin.sh \
	tests/launch/stdin_closed.sh \
	tests/launch/stdin_terminal.sh \
	tests/launch/stragglers.sh \
	tests/launch/tag_output.sh \
	tests/launch/tag_reader_gone.sh \
	tests/launch/tag_volume.sh \
	tests/launch/timeout.sh \
	tests/launch/tmpdir.sh \
	tests/launch/tmpdir_mounts.sh \
	tests/launch/two_jobs.sh \
	tests/launch/usage.sh \
	tests/launch/wdir.sh

TESTS += $(launch_tests)
EXTRA_DIST += tests/lib.sh tests/launch/other.sh tests/launch/slurm.sh \
	$(launch_tests)
