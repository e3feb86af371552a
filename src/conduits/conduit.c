/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/conduit.h"

#include <errno.h>

#include "base/log.h"

#define DECLARE(name) extern const struct conduit conduit_##name;
CONDUITS(DECLARE)

struct conduit conduit_table[CONDUIT_MAX];
int conduit_count;
struct conduit_settings conduit_settings;

/* Typed stubs: a cast function pointer would be undefined behaviour. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define STUB(name, params, cap) \
	static int no_##name params \
	{ \
		return -ENOSYS; \
	}
CONDUIT_OPS(STUB)
#pragma GCC diagnostic pop

static int conduit_check(const struct conduit *conduit)
{
	const struct {
		const char *name;
		unsigned int cap;
		int present;
	} rows[] = {
#define ROW(row, params, c) { #row, c, conduit->ops.row != NULL },
		CONDUIT_OPS(ROW)
#undef ROW
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int promised = !rows[i].cap || (conduit->caps & rows[i].cap);

		if (!promised == !rows[i].present)
			continue;
		shmemi_log_error("conduit %s: row %s is %s, its capability "
				 "bits say otherwise",
				 conduit->name, rows[i].name,
				 rows[i].present ? "there" : "missing");
		return -EINVAL;
	}
	return 0;
}

int conduit_register(struct conduit *slot, const struct conduit *conduit)
{
	int rc = conduit_check(conduit);

	if (rc)
		return rc;
	*slot = *conduit;
#define FILL(name, params, cap) \
	if (!slot->ops.name) \
		slot->ops.name = no_##name;
	CONDUIT_OPS(FILL)
#undef FILL
	return 0;
}

int conduit_register_all(void)
{
	static const struct conduit *const all[] = {
#define ENTRY(name) &conduit_##name,
		CONDUITS(ENTRY)
#undef ENTRY
	};
	int rc = 0;

	_Static_assert(sizeof(all) / sizeof(*all) <= CONDUIT_MAX,
		       "conduit_table is too small");
	conduit_count = 0;
	for (size_t i = 0; !rc && i < sizeof(all) / sizeof(*all); i++) {
		rc = conduit_register(&conduit_table[i], all[i]);
		if (!rc)
			conduit_count++;
	}
	return rc;
}

static void close_first(int n)
{
	while (n--)
		conduit_table[n].ops.close(&conduit_table[n]);
}

int conduit_open_all(void)
{
	for (int i = 0; i < conduit_count; i++) {
		int rc = conduit_table[i].ops.open(&conduit_table[i]);

		if (rc) {
			close_first(i);
			return rc;
		}
	}
	return 0;
}

void conduit_close_all(void)
{
	close_first(conduit_count);
}

struct conduit *conduit_choose(const struct conduit_peer *peer,
			       enum conduit_segment seg)
{
	struct conduit *best = NULL;
	int best_score = 0;

	for (int i = 0; i < conduit_count; i++) {
		int score = conduit_table[i].ops.probe(peer, seg);

		if (score > best_score) {
			best_score = score;
			best = &conduit_table[i];
		}
	}
	return best;
}
