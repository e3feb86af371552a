/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ENV: SHMEM_PLATFORM=cpu
 *
 * Translation units with kernels come and go: one that comes after init is
 * filled at once, one that came before at init; finalize empties them; one that
 * has left is not touched; one of another platform is left alone, with a
 * warning if there is none of this one; one of other headers is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <shmem/device.h>

static int failures, sets;
static struct shmemd_block last;

#define CHECK(what) \
	do { \
		if (!(what)) { \
			printf("line %d: %s\n", __LINE__, #what); \
			failures++; \
		} \
	} while (0)

static int set(int device, const void *block, size_t bytes)
{
	(void)device;
	CHECK(bytes == sizeof(last));
	memcpy(&last, block, sizeof(last));
	sets++;
	return 0;
}

/* As a runtime that does not know the unit yet. */
static int set_third(int device, const void *block, size_t bytes)
{
	set(device, block, bytes);
	return sets < 3 ? EAGAIN : 0;
}

static const struct shmemx_runtime cpu = { .platform = "cpu", .set = set };
static const struct shmemx_runtime late = { .platform = "cpu",
					    .set = set_third };
static const struct shmemx_runtime other = { .platform = "hip", .set = set };

/* Bytes that an init says on stderr, left in text. */
static size_t init_says(char *text, size_t bytes)
{
	FILE *file = tmpfile();
	int err = dup(2);
	size_t n;

	if (!file || err < 0 || dup2(fileno(file), 2) < 0) {
		perror("stderr");
		return 0;
	}
	shmem_init();
	dup2(err, 2);
	close(err);
	rewind(file);
	n = fread(text, 1, bytes - 1, file);
	text[n] = '\0';
	fclose(file);
	shmem_finalize();
	return n;
}

static void test_warning(void)
{
	struct shmemx_module c = { NULL, &other, SHMEMD_LAYOUT, 0 };
	char text[1024];

	CHECK(!init_says(text, sizeof(text)));
	shmemx_module_register(&c);
	CHECK(!init_says(text, sizeof(text)));
	shmemx_module_unregister(&shmemd_module);
	CHECK(init_says(text, sizeof(text)));
	CHECK(strstr(text, "for platform hip, ") && strstr(text, " on cpu,"));
	CHECK(strchr(text, '\n') == text + strlen(text) - 1);
	shmemx_module_unregister(&c);
	CHECK(!init_says(text, sizeof(text)));
	shmemx_module_register(&shmemd_module);
}

int main(void)
{
	struct shmemx_module a = { NULL, &cpu, SHMEMD_LAYOUT, 0 };
	struct shmemx_module b = { NULL, &late, SHMEMD_LAYOUT, 0 };
	struct shmemx_module c = { NULL, &other, SHMEMD_LAYOUT, 0 };
	struct shmemx_module d = { NULL, &cpu, SHMEMD_LAYOUT + 1, 0 };

	shmemx_module_register(&a);
	shmemx_module_register(&c);
	CHECK(sets == 0);
	shmem_init();
	CHECK(sets == 1 && last.layout == SHMEMD_LAYOUT);
	CHECK(last.me == shmem_my_pe() && last.n_pes == shmem_n_pes());
	CHECK(shmemd_block.layout == SHMEMD_LAYOUT);
	shmemx_module_unregister(&a);

	shmemx_module_register(&b);
	CHECK(sets == 2 && !b.filled);
	CHECK(!shmemx_module_init(NULL));
	CHECK(sets == 3 && b.filled);
	CHECK(!shmemx_module_init(NULL) && sets == 3);
	shmemx_module_register(&d);
	CHECK(sets == 3 && !d.filled);
	shmemx_module_unregister(&d);
	shmem_finalize();
	CHECK(sets == 4 && last.layout == 0 && last.n_pes == 0);
	CHECK(shmemd_block.layout == 0);

	shmemx_module_unregister(&b);
	shmemx_module_unregister(&b);
	shmem_init();
	CHECK(sets == 4 && shmemd_block.layout == SHMEMD_LAYOUT);
	shmem_finalize();
	shmemx_module_unregister(&c);
	test_warning();
	return failures != 0;
}
