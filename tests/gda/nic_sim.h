/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of each NIC that writes completions, into a queue of format.h. An
 * entry's places are done in order; those without completion go with the next.
 */
#ifndef TESTS_GDA_NIC_SIM_H
#define TESTS_GDA_NIC_SIM_H

#include "format.h"

struct sim {
	struct memory *m;
	uint64_t n_completions; /* that were written */
	uint32_t index_modulus; /* of bnxt's: 65536, or the ring's slots */
	int overwrites;		/* ionic's one completion */
};

static void sim_store(void *p, const void *bytes)
{
	uint64_t v;

	memcpy(&v, bytes, sizeof(v));
	__atomic_store_n((uint64_t *)p, v, __ATOMIC_RELEASE);
}

/* Of the entry at the place, as it stands in the ring. error: a syndrome. */
static void sim_mlx5(struct sim *s, uint64_t place, unsigned int error,
		     unsigned int vendor)
{
	struct shmemd_gda_queue *q = &s->m->q;
	const char *entry = q->entries + place % q->n_places * 64;
	struct gda_mlx5_completion c;
	const uint64_t at = s->n_completions++;
	char *to = q->completions + at % q->n_completions * 64;

	memset(&c, 0, sizeof(c));
	c.vendor = (uint8_t)vendor;
	c.syndrome = (uint8_t)error;
	c.opcode = gda_be32((uint32_t)(uint8_t)entry[3] << 24 | NUMBER);
	c.place = gda_be16((uint16_t)place);
	c.owner = (uint8_t)((error ? GDA_MLX5_CQE_ERROR : 0) << 4 |
			    (at / q->n_completions & 1));
	sim_store(to + 48, (char *)&c + 48);
	sim_store(to + 56, (char *)&c + 56);
}

static void sim_bnxt(struct sim *s, uint64_t upto, unsigned int error)
{
	char *to = s->m->q.completions;
	const uint64_t index[1] = { (uint32_t)(upto % s->index_modulus) |
				    (uint64_t)0xabcd0000 << 32 };
	const uint64_t status = error << 8 | (upto & 1);

	s->n_completions++;
	sim_store(to, &(uint64_t){ 0x1234 });
	if (error)
		sim_store(to + 24, &status);
	sim_store(to + 8, index);
	if (!error)
		sim_store(to + 24, &status);
}

static void sim_ionic(struct sim *s, uint64_t upto, unsigned int error,
		      unsigned int type)
{
	struct shmemd_gda_queue *q = &s->m->q;
	const uint64_t at = s->n_completions++;
	char *to = q->completions + at % q->n_completions * 32;
	struct gda_ionic_completion c = { 0 };

	c.n_messages = gda_be32((uint32_t)(upto & 0xffffff));
	c.index_le = upto - 1;
	c.status = gda_be32(error);
	c.flags = gda_be32(NUMBER << 8 | type << 5 | (error ? 2 : 0) |
			   !(at / q->n_completions & 1));
	sim_store(to, &c);
	sim_store(to + 24, (char *)&c + 24);
}

static void sim_verbs(struct sim *s, uint64_t upto, unsigned int error,
		      unsigned int vendor)
{
	const uint64_t code = error | (uint64_t)vendor << 32;

	s->n_completions++;
	sim_store(s->m->q.completions + (error ? 8 : 0), error ? &code : &upto);
}

/* The entry at `place`, which ends before upto, is done. */
static void sim_complete(struct sim *s, uint64_t place, uint64_t upto)
{
	switch (s->m->q.format) {
	case SHMEMD_GDA_MLX5:
		sim_mlx5(s, place, 0, 0);
		break;
	case SHMEMD_GDA_BNXT:
		sim_bnxt(s, upto, 0);
		break;
	case SHMEMD_GDA_IONIC:
		sim_ionic(s, upto, 0, GDA_IONIC_CQE_MESSAGES);
		break;
	default:
		sim_verbs(s, upto, 0, 0);
	}
}

static void sim_init(struct sim *s, struct memory *m,
		     enum shmemd_gda_format format, uint32_t n_places)
{
	memory_init(m, format, n_places);
	memset(s, 0, sizeof(*s));
	s->m = m;
	s->index_modulus = 65536;
}

#endif
