/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what the manual needs of the tables, one record a line, by tabs:
 *
 *	row	kind	verb	tail	class	result	parameters
 *		in the order of the tables; TYPE stands for the element type,
 *		and verb is the whole name where kind is plain
 *	type	class	TYPENAME	C type
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

#define ROW(kind, verb, tail, class, ret, params) \
	{ kind, #verb, #tail, class, TEXT(ret), TEXT(params) },
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
static const struct row rows[] = {
#include <shmem/tables.def>
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

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* TEXT and #params wrap their text in parentheses. */
static void print_inner(const char *text)
{
	printf("\t%.*s", (int)strlen(text) - 2, text + 1);
}

int main(void)
{
	for (size_t i = 0; i < COUNT(types); i++) {
		printf("type\t%s\t%s", types[i].class, types[i].name);
		print_inner(types[i].type);
		putchar('\n');
	}
	for (size_t i = 0; i < COUNT(rows); i++) {
		printf("row\t%s\t%s\t%s\t%s", rows[i].kind, rows[i].verb,
		       rows[i].tail, rows[i].class);
		print_inner(rows[i].ret);
		print_inner(rows[i].params);
		putchar('\n');
	}
	return 0;
}
