/* SPDX-License-Identifier: BSD-3-Clause */
/* What shmem_info prints, as text and as JSON, and its exit status. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host/env.h"

#define INFO "src/tools/shmem_info "

static char text[65536];
static int nfailed;

#define expect(condition) \
	((condition) ? (void)0 : failed(__LINE__, #condition))
#define expect_text(word) expect(strstr(text, word))

static void failed(int line, const char *condition)
{
	fprintf(stderr, "info.c:%d: not %s\n", line, condition);
	nfailed++;
}

/* The exit status; what was printed is in text. */
static int run(const char *command)
{
	FILE *in = popen(command, "r");
	size_t length;
	int status;

	if (!in)
		abort();
	length = fread(text, 1, sizeof(text) - 1, in);
	text[length] = '\0';
	status = pclose(in);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void environment_clear(void)
{
	const char *path = getenv("PATH"), *asan = getenv("ASAN_OPTIONS");
	char kept[2][4096];

	snprintf(kept[0], sizeof(kept[0]), "%s", path ? path : "/bin");
	snprintf(kept[1], sizeof(kept[1]), "%s", asan ? asan : "");
	clearenv();
	setenv("PATH", kept[0], 1);
	setenv("ASAN_OPTIONS", kept[1], 1);
}

static void test_text(void)
{
	struct shmemi_env_item item;
	size_t i;

	expect(run(INFO) == 0);
	expect_text("\nopenshmem  1.6\n");
	expect_text("\ncompiler ");
	expect_text("\npmix ");
	for (i = 0; shmemi_env_item(i, &item); i++) {
		expect_text(item.name);
		expect_text(item.help);
		expect_text(item.expected);
	}
	expect(run(INFO "--env") == 0);
	expect(!strstr(text, "compiler"));
	expect_text("SHMEM_SYMMETRIC_SIZE");
	expect(run(INFO "--version") == 0);
	expect_text("shmem_info (sirocco) ");
}

static void test_usage(void)
{
	expect(run(INFO "--no-such-option 2>&1") == 64);
	expect(run(INFO "word 2>&1") == 64);
	expect_text("word: expected options only");
	expect(run(INFO "2>&1 >/dev/full") == 1);
	expect_text("standard output");
}

static void test_errors(void)
{
	setenv("SMA_SYMMETRIC_SIZE", "3.1m", 1);
	setenv("SHMEM_SPIN", "many", 1);
	setenv("SHMEM_STATIK", "no", 1);
	expect(run(INFO "--env") == 1);
	expect_text("3.1m        from SMA_SYMMETRIC_SIZE, default 1g\n");
	expect_text("many        from SHMEM_SPIN, default -1\n");
	expect_text("ERROR: expected an integer of at least -1\n");
	expect_text("ERROR: no such variable; expected SHMEM_STATIC\n");
}

/* What is said of a platform that is not there is all that is said. */
static void test_platform(const char *name, const char *value)
{
	setenv(name, value, 1);
	expect(run(INFO "2>&1") == 1);
	expect(!strncmp(text, "sirocco: ", 9));
	expect_text(name);
	expect(strchr(text, '\n') == text + strlen(text) - 1);
	expect(run(INFO "--json 2>/dev/null") == 1);
	expect(!*text);
	expect(run(INFO "--env") == 0);
	expect_text(name);
	unsetenv(name);
}

static json_t *row_by_name(json_t *array, const char *name)
{
	const char *own;
	json_t *row;
	size_t i;

	json_array_foreach(array, i, row) {
		own = json_string_value(json_object_get(row, "name"));
		if (own && !strcmp(own, name))
			return row;
	}
	return NULL;
}

static void expect_member(json_t *object, const char *key, const char *value)
{
	const char *own = json_string_value(json_object_get(object, key));

	if (!own || strcmp(own, value)) {
		fprintf(stderr, "info.c: %s is %s, expected %s\n", key,
			own ? own : "absent", value);
		nfailed++;
	}
}

static json_t *run_json(const char *command, int status)
{
	json_error_t error;
	json_t *root;

	expect(run(command) == status);
	root = json_loads(text, 0, &error);
	if (!root) {
		fprintf(stderr, "info.c: %s: %s\n", command, error.text);
		exit(1);
	}
	return root;
}

/* With the environment of test_errors(), and bytes that are not UTF-8. */
static void test_json(void)
{
	json_t *root, *rows, *row;

	setenv("SHMEM_DEBUG", "\xff" "a", 1);
	root = run_json(INFO "--json", 1);
	expect_member(json_object_get(root, "build"), "openshmem", "1.6");
	rows = json_object_get(root, "environment");
	row = row_by_name(rows, "SHMEM_SYMMETRIC_SIZE");
	expect_member(row, "value", "3.1m");
	expect_member(row, "source", "SMA_SYMMETRIC_SIZE");
	expect_member(row, "default", "1g");
	expect(json_is_true(json_object_get(row, "valid")));
	row = row_by_name(rows, "SHMEM_SPIN");
	expect(json_is_false(json_object_get(row, "valid")));
	expect_member(row, "expected", "an integer of at least -1");
	row = row_by_name(rows, "SHMEM_CHECK");
	expect(json_is_null(json_object_get(row, "source")));
	expect_member(row_by_name(rows, "SHMEM_DEBUG"), "value", "?a");
	rows = json_object_get(root, "unknown");
	expect(json_array_size(rows) == 1);
	expect_member(json_array_get(rows, 0), "name", "SHMEM_STATIK");
	expect_member(json_array_get(rows, 0), "value", "no");
	expect_member(json_array_get(rows, 0), "nearest", "SHMEM_STATIC");
	json_decref(root);
}

static void test_json_clean(void)
{
	json_t *root = run_json(INFO "--env --json", 0);

	expect(!json_object_get(root, "build"));
	expect(json_array_size(json_object_get(root, "unknown")) == 0);
	json_decref(root);
}

int main(void)
{
	environment_clear();
	test_text();
	test_usage();
	test_json_clean();
	test_platform("SHMEM_GPU", "1000");
	test_errors();
	test_json();
	return nfailed != 0;
}
