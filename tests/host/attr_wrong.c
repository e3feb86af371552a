/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrong arguments of shmemx_init_attr: nonzero, one line, and the library can
 * be initialised properly afterwards.
 */
#include "attr.h"

static char output[4096];

/* What the call prints on stderr goes to output. */
static int quietly(int requested, const shmemx_init_attr_t *attr)
{
	int saved = dup(STDERR_FILENO), ends[2], rc;
	ssize_t got;

	CHECK_EQ(pipe(ends), 0);
	fflush(NULL);
	dup2(ends[1], STDERR_FILENO);
	rc = shmemx_init_attr(requested, NULL, attr);
	dup2(saved, STDERR_FILENO);
	close(ends[1]);
	close(saved);
	got = read(ends[0], output, sizeof(output) - 1);
	output[got > 0 ? got : 0] = '\0';
	close(ends[0]);
	return rc;
}

static void refused(int requested, const shmemx_init_attr_t *attr,
		    const char *word)
{
	const char *end;
	int up = -1;

	CHECK(quietly(requested, attr) != 0);
	end = strchr(output, '\n');
	if (strncmp(output, "sirocco: ", 9) || !strstr(output, word) || !end ||
	    end[1]) {
		CHECK(!"one line that says what was wrong");
		fprintf(stderr, "for \"%s\": %s\n", word, output);
	}
	shmem_query_initialized(&up);
	CHECK_EQ(up, 0);
}

static int gather(const void *src, void *dst, size_t bytes, void *arg)
{
	(void)arg;
	memcpy(dst, src, bytes);
	return 0;
}

static int meet(void *arg)
{
	(void)arg;
	return 0;
}

static const shmemx_init_attr_t good = {
	.size_bytes = sizeof(good),
	.kind = SHMEMX_INIT_FUNCTIONS,
	.n_pes = 1,
	.allgather = gather,
	.barrier = meet,
};

static void refused_size(size_t size_bytes)
{
	shmemx_init_attr_t attr = good;

	attr.size_bytes = size_bytes;
	refused(SHMEM_THREAD_SINGLE, &attr, "size_bytes");
}

static void refused_kind(enum shmemx_init_kind kind, const char *word)
{
	shmemx_init_attr_t attr = good;

	attr.kind = kind;
	refused(SHMEM_THREAD_SINGLE, &attr, word);
}

static void refused_pes(int pe, int n_pes, const char *word)
{
	shmemx_init_attr_t attr = good;

	attr.pe = pe;
	attr.n_pes = n_pes;
	refused(SHMEM_THREAD_SINGLE, &attr, word);
}

static void refused_functions(void)
{
	shmemx_init_attr_t attr = good;

	attr.allgather = NULL;
	refused(SHMEM_THREAD_SINGLE, &attr, "allgather");
	attr = good;
	attr.barrier = NULL;
	refused(SHMEM_THREAD_SINGLE, &attr, "barrier");
}

static void refused_id(void)
{
	shmemx_init_attr_t attr = good;
	shmemx_uniqueid_t id;

	memset(&id, 0, sizeof(id));
	attr.kind = SHMEMX_INIT_UNIQUEID;
	attr.uniqueid = &id;
	refused(SHMEM_THREAD_SINGLE, &attr, "id");
}

int main(void)
{
	refused(SHMEM_THREAD_SINGLE, NULL, "attr");
	refused(99, &good, "requested");
	refused_size(8);
	refused_kind((enum shmemx_init_kind)9, "kind");
	refused_pes(-1, 1, "pe");
	refused_pes(1, 1, "pe");
	refused_pes(0, 0, "n_pes");
	refused_pes(0, -5, "n_pes");
	refused_functions();
	refused_kind(SHMEMX_INIT_UNIQUEID, "uniqueid");
	refused_id();
	CHECK_EQ(shmemx_init_attr(SHMEM_THREAD_SINGLE, NULL, &good), 0);
	attr_use(0, 1);
	return check_end();
}
