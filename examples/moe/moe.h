/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One mixture-of-experts layer over the words of a text; main.c tells the
 * story. Functions marked collective are called by every PE.
 *
 * A "row" is one token on its way to one expert: `hidden` floats. A token
 * makes top_k rows, and pair t * top_k + j is the token t's j'th choice.
 */
#ifndef MOE_H
#define MOE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* args.c: what the user asked for. */
enum { ARGS_RUN, ARGS_HELP, ARGS_WRONG };

struct args {
	int verdict;
	int experts, top_k, hidden, repeat;
	uint64_t seed;
	bool check, json;
	char path[4096];
};

/* Collective: PE 0 reads the command line, all PEs get the result. */
const struct args *args_parse(int argc, char **argv);

/* share.c: `total` things over `n` PEs, as even as it goes. */
struct share {
	long first, count;
};

struct share share_of(long total, int n, int pe);
/* The PE whose share holds thing i. */
int share_owner(long total, int n, long i);
/* As malloc and shmem_malloc, but end the whole job when there is none. */
void *local_alloc(size_t bytes);
/* Collective. */
void *symmetric_alloc(size_t bytes);
/* Collective: data becomes what it is on PE 0. */
void from_pe0(void *data, size_t bytes);
double seconds(void);

/* text.c: a token is a word or a punctuation mark, held as its hash. */
struct text {
	uint64_t *tokens;
	long bytes, ntokens;
};

/* Collective: PE 0 reads the file, all PEs get it. False after a message. */
bool text_read(struct text *text, const char *path);
long text_distinct(const struct text *text);
void text_free(struct text *text);

/*
 * model.c: the layer without any communication. All numbers follow from the
 * seed, so every PE can make any part of the layer.
 */
struct model {
	int experts, top_k, hidden, inner;
	uint64_t seed;
	float *gate; /* hidden x experts */
};

struct expert {
	float *up, *down; /* hidden x inner, inner x hidden */
	float *middle;	  /* room for inner floats */
};

/* A PE's tokens as vectors, and the experts that the gate chose. */
struct batch {
	long ntokens;
	float *x, *out; /* ntokens x hidden: input and result */
	int *chosen;	/* ntokens x top_k */
	float *weight;	/* ntokens x top_k, adding up to 1 */
};

void model_make(struct model *m, const struct args *args);
void model_free(struct model *m);
void expert_make(struct expert *e, const struct model *m, int index);
void expert_free(struct expert *e);
/* Replaces one row by what the expert makes of it. */
void expert_apply(const struct expert *e, const struct model *m, float *row);
void batch_make(struct batch *b, const struct model *m, const struct text *text,
		struct share share);
void batch_free(struct batch *b);
/* Fills chosen and weight from x. */
void batch_gate(struct batch *b, const struct model *m);
/* out = the weighted sum of the top_k rows of each token; pair p is in rows
 * at position where[p], or p if where is NULL. */
void batch_combine(struct batch *b, const struct model *m, const float *rows,
		   const long *where);

/*
 * exchange.c: tokens to experts and back, the OpenSHMEM part.
 *
 * Experts are spread over the PEs by share_of; `slots` is the most that one
 * PE has. Tables are indexed [pe * slots + slot], slot being an expert's
 * number within its PE's share.
 */
struct block {
	long nrows; /* rows from one PE for one expert */
	long from;  /* where they are in that PE's `sent` and `returned` */
};

struct exchange {
	int me, npes, slots;
	long npairs;
	/* Private. */
	struct share *experts; /* of each PE */
	long *place;	       /* of each expert in the tables */
	float *sent;	       /* this PE's rows, sorted by expert */
	long *position;	       /* of each pair in `sent` */
	/* Symmetric: every PE has them, and any PE may write to them. */
	struct block *asked, *offered; /* this PE's blocks; all PEs' for us */
	long *base, *granted;	       /* where `received` has the blocks */
	float *received;   /* rows for this PE's experts, by expert */
	float *returned;   /* the same rows as `sent`, transformed */
	long *nrows_max;   /* [0] this PE's, [1] the most of any PE */
	uint64_t *arrived; /* blocks that have come: [0] out, [1] back */
	/* Private. */
	long received_room;   /* rows that `received` has room for */
	uint64_t expected[2]; /* what `arrived` must reach */
	long bytes_to_others; /* sent to other PEs since the start */
};

/* Collective, all of them; ntokens_max is the most of any PE. */
void exchange_make(struct exchange *x, const struct model *m, long ntokens,
		   long ntokens_max);
void exchange_free(struct exchange *x);
void exchange_counts(struct exchange *x, const struct model *m,
		     const struct batch *b);
void exchange_dispatch(struct exchange *x, const struct model *m,
		       const struct batch *b);
void exchange_return(struct exchange *x, const struct model *m);
/* The rows of expert `slot` of this PE, after dispatch, in `received`. */
struct share exchange_rows(const struct exchange *x, int slot);

/* check.c */
struct verdict {
	long nwrong; /* tokens that are not bit-exact */
	double max_difference;
	unsigned long long checksum; /* of the result of the exchange */
	unsigned long long alone;    /* of the result without exchange */
};

/* Collective: this PE computes its own tokens alone and compares. The result
 * is of all PEs. Without args->check only the checksum. */
void check_run(struct verdict *v, const struct args *args,
	       const struct model *m, const struct text *text,
	       struct share share, const struct batch *b);

/* report.c */
enum { GATE, COUNTS, DISPATCH, EXPERTS, COMBINE, NPHASES };

struct report {
	const struct args *args;
	const struct text *text;
	int npes;
	long *load;	    /* rows of each expert */
	double ms[NPHASES]; /* of one step, the mean of PEs and steps */
	double check_ms;
	double bytes_total, bytes_max; /* one step's, all PEs, busiest PE */
	struct verdict verdict;
};

/* Collective: sums up what each PE has measured. */
void report_collect(struct report *r, const struct exchange *x,
		    const double *phase_seconds);
double report_step_ms(const struct report *r);
/* The largest load by the mean, of experts and of PEs. */
double report_imbalance(const struct report *r);
double report_imbalance_pes(const struct report *r);
void report_print(const struct report *r);
/* json.c: the same for machines. False after a message. */
bool report_print_json(const struct report *r);

#endif
