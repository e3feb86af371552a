/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two mixture-of-experts layers that learn to tell the next word of a text;
 * main.c tells the story. What all PEs call together is marked collective.
 * kernels.h has what runs on the device.
 */
#ifndef MOE_LAYER_H
#define MOE_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shmemx.h>
#include <shmem/moe.h>

#include "kernels.h"

enum { LAYERS = 2, PARTS_MAX = 2 };

/* args.c: what the user asked for. */
enum { ARGS_RUN, ARGS_HELP, ARGS_WRONG };

struct args {
	int verdict;
	int experts, top_k, hidden, ffn, tokens, steps, dtype;
	uint64_t seed;
	bool fp8, slots, overlap, baseline, check, json;
	char path[4096];
};

extern const char *const dtype_names[];

/* Collective: PE 0 reads the command line, all PEs get the result. */
const struct args *args_parse(int argc, char **argv);

/* memory.c: these end the whole job when there is no memory. */
void *local_alloc(size_t bytes);
/* Collective. Memory of kernels. */
void *symmetric_alloc(size_t bytes);
/* Collective: data becomes what it is on PE 0. */
void from_pe0(void *data, size_t bytes);
/* Collective: n numbers become the sum over all PEs. */
void sum_over_pes(double *v, int n);
double seconds(void);

/* text.c: a token is a word or a punctuation mark, held as its hash. */
struct text {
	uint64_t *tokens;
	long bytes, ntokens;
};

/* Collective: PE 0 reads the file, all PEs get it. False after a message. */
bool text_read(struct text *text, const char *path);
/* Token i, from the beginning again after the end. */
uint64_t text_token(const struct text *text, long i);
void text_free(struct text *text);

/* A batch is exchanged as one part, or as two with --overlap. */
struct part {
	int first, count; /* tokens */
	shmemx_moe_layout_t layout;
	struct segments where; /* rows of experts in these: */
	void *rows, *y;	       /* symmetric: what experts get and give */
	float *scales;
	void *pre, *hid; /* between their two matrices */
};

struct layer {
	shmemx_moe_t moe;
	struct part part[PARTS_MAX];
	struct weights up, down, gate;
	float *weights; /* of the choices, [tokens][top_k] */
	int32_t *ids;	/* the step's, [tokens][top_k] */
	struct baseline *baseline;
};

enum phase {
	GATE,
	DISPATCH,
	EXPERTS,
	COMBINE,
	LOSS,
	COMBINE_BACK,
	EXPERTS_BACK,
	DISPATCH_BACK,
	GATE_BACK,
	UPDATE,
	PHASES
};

/* The model and all that a step needs. */
struct run {
	const struct args *args;
	int me, n_pes, n_local, n_parts;
	int gate_stride; /* columns of logits: experts, made a multiple of 4 */
	size_t elem_bytes, rows_max;
	shmemx_stream_t stream;
	struct layer layer[LAYERS];
	uint64_t *tokens;    /* [steps][1 + tokens + 1] of this PE */
	void *x[LAYERS + 1]; /* [tokens][hidden], in and out of layers */
	void *target;	     /* what the last one should be */
	void *grad_x[LAYERS + 1];
	void *sum;	     /* [tokens][hidden] that an exchange returns */
	float *logits;	     /* [tokens][gate_stride]; also their gradient */
	float *grad_weights; /* [tokens][top_k] */
	void *grad_pre[PARTS_MAX], *grad_y[PARTS_MAX], *grad_rows[PARTS_MAX];
	float *gate_grad[2]; /* of all layers: this PE's, all PEs' */
	/* For PE 0 to look at: */
	float *loss;  /* [steps][tokens] */
	int32_t *ids; /* [steps][LAYERS][tokens][top_k] */
	/* By phases, with a pause of the host after each. */
	bool by_phases;
	double mark_s, phase_s[PHASES];
	float rate; /* of learning, for one token */
};

/*
 * model.c. Weights are uniform, with these times sqrt(3 / rows) as the largest;
 * experts' begin small, for a layer to begin near to doing nothing.
 */
#define UP_SCALE 1.0f
#define DOWN_SCALE 0.5f
#define GATE_SCALE 2.0f
#define RATE 0.5f

enum kind { UP, DOWN, GATES };

/* The number of the first stream of random numbers, of expert 0. */
uint64_t model_stream(const struct args *args, int layer, enum kind kind);
/* The first token of a PE in a step. */
long batch_first(const struct run *r, int step, int pe);
/* Tokens of a part, but that the last one may have fewer. */
int part_tokens(const struct run *r);
/* Collective. False after a line of the library. */
bool run_make(struct run *r, const struct args *args, const struct text *text);
void run_free(struct run *r);

/* step.c: puts a step on the stream. */
void step_run(struct run *r, int step);
/* The host waits, if it measures phases. */
void step_mark(struct run *r, enum phase phase);

/*
 * exchange.c: phase is one of DISPATCH, COMBINE, COMBINE_BACK, DISPATCH_BACK.
 * Work may be put on the stream between send and receive.
 */
void exchange_send(struct run *r, struct layer *layer, int part,
		   enum phase phase);
void exchange_recv(struct run *r, struct layer *layer, enum phase phase);

/* baseline.c: the same without shmemx_moe. Collective. */
void baseline_make(struct run *r, struct layer *layer);
void baseline_free(struct baseline *b);
void baseline_exchange(struct run *r, struct layer *layer, enum phase phase);
const double *baseline_rows(const struct baseline *b);

/* reference.c: all PEs' tokens by one PE, in plain loops with double sums,
 * rounded where the layer rounds. */
struct reference_layer {
	float *up, *down, *gate; /* [experts][hidden][ffn] and so on */
	double *grad_up, *grad_down, *grad_gate;
	float *x, *row; /* [tokens][hidden], what experts get of it */
	int32_t *ids;	/* [tokens][top_k], not its own choice */
	double *weights, *grad_weights;
	float *pre, *hid, *y; /* of pairs */
};

struct reference {
	const struct args *args;
	long tokens; /* of all PEs */
	float rate;
	struct reference_layer layer[LAYERS];
	float *out, *grad; /* [tokens][hidden]; grad becomes that of x */
	float *target;
	double loss;
	/* How much less a chosen expert's logit was than the one that should
	 * have been chosen, the worst so far, and the largest logit. */
	double choice_gap, choice_largest;
};

void reference_make(struct reference *ref, const struct run *r);
void reference_free(struct reference *ref);
/* layer[].ids, layer[0].x and target are there. */
void reference_forward(struct reference *ref);
void reference_backward(struct reference *ref);
void reference_update(struct reference *ref);
/* To the nearest that the type has. */
float round_to(double v, int type);
/* A row as FP8 with scales would bring it. */
void quantise(float *out, const float *x, int hidden);

/* check.c: PE 0 computes all steps alone and compares. Collective. */
enum {
	LOSSES,
	CHOICES,
	OUTPUT,
	GRAD_X,
	GRAD_UP,
	GRAD_DOWN,
	GRAD_GATE,
	TENSORS
};

struct tensor {
	double difference, largest; /* of absolute values */
	double allowed;		    /* difference / largest */
};

struct verdict {
	struct tensor tensor[TENSORS];
	bool right;
};

extern const char *const tensor_names[];
void check_run(struct verdict *v, const struct run *r, const struct text *text);

/* report.c */
struct report {
	const struct run *run;
	const struct text *text;
	double *loss;	      /* [steps] */
	double *rows[LAYERS]; /* [experts], all steps */
	double stats[SHMEMX_MOE_STATS];
	double step_s, phase_s[PHASES]; /* mean of PEs */
	struct verdict verdict;
};

extern const char *const phase_names[];

/* Collective: after the steps, and after those by phases. */
void report_collect(struct report *r);
void report_collect_times(struct report *r);
void report_free(struct report *r);
double report_imbalance(const struct report *r, int layer, bool of_pes);
double report_tokens_per_s(const struct report *r);
double report_phases_s(const struct report *r);
/* Of phases' time that of exchanges; of a step's what isn't computing. */
double report_exchange_share(const struct report *r);
double report_exposed_share(const struct report *r);
void report_print(const struct report *r);
/* json.c: the same for machines. False after a message. */
bool report_print_json(const struct report *r);

#endif
