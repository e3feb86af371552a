/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what the manual needs of the tables, one record a line, by tabs:
 *
 *	row	kind	verb	tail	class	result	parameters
 *		in the order of the tables, of kernel.def, stream.def,
 *		exchange.def, moe.def and network.def;
 *		TYPE stands for the element type, and verb is the whole name
 *		where kind is plain
 *	type	class	TYPENAME	C type
 *		K and a class: those that kernels have
 *
 * man/contracts.awk joins the rows with the contracts that stand above them.
 */
#include <stdio.h>
#include <string.h>

#define SHMEMI_NO_GENERIC
#include <shmem.h>
#include <shmem/shapes.h>
#include <shmem/types.h>

struct row {
	const char *kind, *verb, *tail, *class, *ret, *params;
};

struct type {
	const char *class, *name, *type;
};

#define TEXT_(x) #x
#define TEXT(...) TEXT_((__VA_ARGS__))

#define ROW(kind, verb, tail, class, ret, ...) \
	{ kind, #verb, #tail, class, TEXT(ret), TEXT(__VA_ARGS__) },
#define SHAPED(kind, verb, tail, class, SHAPE) \
	ROW(kind, verb, tail, class, SHMEMI_RET_##SHAPE(TYPE), \
	    SHMEMI_PARAMS_##SHAPE(TYPE))
#define SHMEMI_PLAIN(ret, name, params) \
	{ "plain", #name, "", "", TEXT(ret), #params },
#define SHMEMI_PLAIN_C SHMEMI_PLAIN
#define SHMEMI_TYPED(verb, SHAPE, CLASS, body) \
	SHAPED("typed", verb, , #CLASS, SHAPE)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body) \
	SHAPED("typed_ctx", verb, , #CLASS, SHAPE)
#define SHMEMI_STRIDED(verb, SHAPE, body) \
	SHAPED("strided", verb, , "RMA", SHAPE)
#define SHMEMI_RMA(verb, tail, SHAPE, body) \
	SHAPED("rma", verb, tail, "RMA", SHAPE)
#define SHMEMI_COLL(verb, SHAPE, body) SHAPED("coll", verb, , "RMA", SHAPE)
#define SHMEMI_OLD_COLL(verb, SHAPE, body) SHAPED("old_coll", verb, , "", SHAPE)
#define SHMEMI_OLD_REDUCE(verb, CLASS) SHAPED("typed", verb, , #CLASS, TO_ALL)
#define STREAM(kind, verb, tail, class, SHAPE) \
	ROW(kind, verb, tail, class, SHMEMI_RET_##SHAPE(TYPE), \
	    SHMEMI_PARAMS_##SHAPE(TYPE), shmemx_stream_t stream)
#define SHMEMI_STREAM_PLAIN SHMEMI_PLAIN
#define SHMEMI_STREAM_RMA(verb, tail, SHAPE, body) \
	STREAM("stream_rma", verb, tail, "RMA", SHAPE)
#define SHMEMI_STREAM_TYPED(verb, SHAPE, CLASS, body) \
	STREAM("stream_typed", verb, , "K" #CLASS, SHAPE)
#define SHMEMI_STREAM_COLL(verb, SHAPE, body) \
	STREAM("stream_coll", verb, , "KRMA", SHAPE)
static const struct row rows[] = {
#include <shmem/tables.def>
#include <shmem/kernel.def>
#include <shmem/stream.def>
#undef SHMEMI_COLL
#define SHMEMI_COLL(verb, SHAPE, body) SHAPED("x_coll", verb, , "RMA", SHAPE)
#include <shmem/exchange.def>
#include <shmem/moe.def>
#include <shmem/network.def>
};

#define TYPE_(N, T, class) { #class, #N, TEXT(T) },
#define TYPES(class) SHMEMI_TYPES_##class(TYPE_, class)
#define CLASSES(X) \
	X(RMA) \
	X(AMO) X(XAMO) X(BAMO) X(BITS) X(SUM) X(OLD_AMO) X(OLD_XAMO) \
		X(OLD_P2P) X(OLD_BITS) X(OLD_MAX) X(OLD_SUM)
#define shmemi_complexd double _Complex
#define shmemi_complexf float _Complex
static const struct type types[] = { CLASSES(TYPES) };

#undef SHMEMI_HOST_TYPES
#define SHMEMI_HOST_TYPES(...)
static const struct type kernel_types[] = { CLASSES(TYPES) };

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* TEXT and #params wrap their text in parentheses. */
static void print_inner(const char *text)
{
	printf("\t%.*s", (int)strlen(text) - 2, text + 1);
}

static void print_types(const char *prefix, const struct type *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		printf("type\t%s%s\t%s", prefix, t[i].class, t[i].name);
		print_inner(t[i].type);
		putchar('\n');
	}
}

int main(void)
{
	print_types("", types, COUNT(types));
	print_types("K", kernel_types, COUNT(kernel_types));
	for (size_t i = 0; i < COUNT(rows); i++) {
		printf("row\t%s\t%s\t%s\t%s", rows[i].kind, rows[i].verb,
		       rows[i].tail, rows[i].class);
		print_inner(rows[i].ret);
		print_inner(rows[i].params);
		putchar('\n');
	}
	return 0;
}
