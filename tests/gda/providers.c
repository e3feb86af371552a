/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of each provider, and what it makes of its NIC's codes. */
#include <stdio.h>
#include <string.h>

#include <shmem/device/gda_bnxt_wire.h>
#include <shmem/device/gda_ionic_wire.h>
#include <shmem/device/gda_mlx5_wire.h>

#include "conduits/gda/gda_impl.h"

static int n_failed;

static void expect(int ok, const struct gda_provider *p, const char *what,
		   uint32_t code)
{
	if (ok)
		return;
	fprintf(stderr, "%s: %s (code %u)\n", p->name, what, code);
	n_failed++;
}

static void rows(const struct gda_provider *p)
{
	const int is_vendor = !p->by_host;

	expect(p->serves && p->memory_bytes && p->create && p->modify &&
		       p->destroy,
	       p, "a row is missing", 0);
	expect((p->libraries != NULL) == is_vendor &&
		       (p->symbols != NULL) == is_vendor &&
		       (p->codes != NULL) == is_vendor,
	       p, "libraries, symbols and codes are for vendors' NICs", 0);
	expect((p->start != NULL) == p->by_host &&
		       (p->stop != NULL) == p->by_host,
	       p, "start and stop are for those whose host posts", 0);
	expect(p->min_places >= 16 && p->min_places <= p->max_places &&
		       !(p->min_places & (p->min_places - 1)) &&
		       !(p->max_places & (p->max_places - 1)),
	       p, "places", 0);
}

struct code {
	const struct gda_provider *provider;
	uint32_t code;
	const char *words; /* a part of them */
};

static const struct code codes[] = {
	{ &gda_mlx5, GDA_MLX5_LOCAL_PROTECTION, "local" },
	{ &gda_mlx5, GDA_MLX5_REMOTE_ACCESS, "access" },
	{ &gda_mlx5, GDA_MLX5_RETRIES, "retries" },
	{ &gda_mlx5, GDA_MLX5_FLUSHED, "flushed" },
	{ &gda_mlx5, 0xee, "error" },
	{ &gda_bnxt, GDA_BNXT_LOCAL_LENGTH, "length" },
	{ &gda_bnxt, GDA_BNXT_REMOTE_REQUEST, "request" },
	{ &gda_bnxt, GDA_BNXT_RETRIES, "retries" },
	{ &gda_bnxt, GDA_BNXT_FLUSHED, "flushed" },
	{ &gda_bnxt, 0xee, "error" },
	{ &gda_ionic, GDA_IONIC_LOCAL_ACCESS, "local" },
	{ &gda_ionic, GDA_IONIC_REMOTE_OPERATION, "remote" },
	{ &gda_ionic, GDA_IONIC_RETRIES, "retries" },
	{ &gda_ionic, GDA_IONIC_FLUSHED, "flushed" },
	{ &gda_ionic, 0xee, "error" },
	{ &gda_verbs, IBV_WC_LOC_QP_OP_ERR, "local" },
	{ &gda_verbs, IBV_WC_REM_ACCESS_ERR, "access" },
	{ &gda_verbs, IBV_WC_RETRY_EXC_ERR, "retries" },
	{ &gda_verbs, IBV_WC_WR_FLUSH_ERR, "flushed" },
	{ &gda_verbs, 0xee, "error" },
};

static void code(const struct code *c)
{
	const char *words = gda_code_words(c->provider, c->code);

	expect(strstr(words, c->words) != NULL, c->provider, words, c->code);
}

int main(void)
{
	int n = 0;

	for (; gda_providers[n]; n++)
		rows(gda_providers[n]);
	if (n != 4) {
		fprintf(stderr, "%d providers, expected 4\n", n);
		n_failed++;
	}
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		code(&codes[i]);
	return n_failed != 0;
}
