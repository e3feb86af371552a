/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * View of the tables: each typed routine as a struct api_routine. CALL_<SHAPE>
 * hands a routine of that shape its arguments.
 */
#include "api.h"
#include "types.h"

#define PLAIN
#define CTX a->ctx,
#define RESULT(T) *(T *)a->result
#define VALUE(T) *(const T *)a->value
#define COND(T) *(const T *)a->cond
#define SET a->start, a->log_stride, a->set_size

#define CALL_PUT(f, T, ...) f(__VA_ARGS__ a->dest, a->source, a->nelems, a->pe)
#define CALL_P(f, T, ...) f(__VA_ARGS__ a->dest, VALUE(T), a->pe)
#define CALL_G(f, T, ...) RESULT(T) = f(__VA_ARGS__ a->source, a->pe)
#define CALL_IPUT(f, T, ...) \
	f(__VA_ARGS__ a->dest, a->source, a->dst, a->sst, a->nelems, a->pe)
#define CALL_IBPUT(f, T, ...) \
	f(__VA_ARGS__ a->dest, a->source, a->dst, a->sst, a->bsize, \
	  a->nelems, a->pe)
#define CALL_PUT_SIGNAL(f, T, ...) \
	f(__VA_ARGS__ a->dest, a->source, a->nelems, a->sig_addr, a->signal, \
	  a->sig_op, a->pe)

#define CALL_INC(f, T, ...) f(__VA_ARGS__ a->dest, a->pe)
#define CALL_FETCH_INC(f, T, ...) RESULT(T) = f(__VA_ARGS__ a->dest, a->pe)
#define CALL_FETCH_OP(f, T, ...) \
	RESULT(T) = f(__VA_ARGS__ a->dest, VALUE(T), a->pe)
#define CALL_CSWAP(f, T, ...) \
	RESULT(T) = f(__VA_ARGS__ a->dest, COND(T), VALUE(T), a->pe)
#define CALL_FETCH_NBI(f, T, ...) f(__VA_ARGS__ a->result, a->source, a->pe)
#define CALL_FETCH_INC_NBI(f, T, ...) f(__VA_ARGS__ a->result, a->dest, a->pe)
#define CALL_FETCH_OP_NBI(f, T, ...) \
	f(__VA_ARGS__ a->result, a->dest, VALUE(T), a->pe)
#define CALL_CSWAP_NBI(f, T, ...) \
	f(__VA_ARGS__ a->result, a->dest, COND(T), VALUE(T), a->pe)

#define CALL_OLD_WAIT(f, T, ...) f(a->dest, VALUE(T))
#define CALL_WAIT(f, T, ...) f(a->dest, a->cmp, VALUE(T))
#define CALL_TEST(f, T, ...) a->count = f(a->dest, a->cmp, VALUE(T))
#define IVARS a->dest, a->nelems, a->status, a->cmp
#define IVARS_SOME a->dest, a->nelems, a->indices, a->status, a->cmp
#define CALL_WAIT_ALL(f, T, ...) f(IVARS, VALUE(T))
#define CALL_WAIT_ALL_VECTOR(f, T, ...) f(IVARS, a->cmp_values)
#define CALL_TEST_ALL(f, T, ...) a->count = f(IVARS, VALUE(T))
#define CALL_TEST_ALL_VECTOR(f, T, ...) a->count = f(IVARS, a->cmp_values)
#define CALL_ANY CALL_TEST_ALL
#define CALL_ANY_VECTOR CALL_TEST_ALL_VECTOR
#define CALL_SOME(f, T, ...) a->count = f(IVARS_SOME, VALUE(T))
#define CALL_SOME_VECTOR(f, T, ...) a->count = f(IVARS_SOME, a->cmp_values)

#define CALL_COLL(f, T, ...) \
	a->count = f(a->team, a->dest, a->source, a->nelems)
#define CALL_BROADCAST(f, T, ...) \
	a->count = f(a->team, a->dest, a->source, a->nelems, a->root)
#define CALL_ALLTOALLS(f, T, ...) \
	a->count = f(a->team, a->dest, a->source, a->dst, a->sst, a->nelems)
#define CALL_OLD_COLL(f, T, ...) \
	f(a->dest, a->source, a->nelems, SET, a->psync)
#define CALL_OLD_BROADCAST(f, T, ...) \
	f(a->dest, a->source, a->nelems, a->root, SET, a->psync)
#define CALL_OLD_ALLTOALLS(f, T, ...) \
	f(a->dest, a->source, a->dst, a->sst, a->nelems, SET, a->psync)
#define CALL_TO_ALL(f, T, ...) \
	f(a->dest, a->source, (int)a->nelems, SET, a->pwrk, a->psync)

#define ROW(name, WITH, N, T, SHAPE, body) \
	static void call_##name(struct api_args *a) \
	{ \
		CALL_##SHAPE(name, T, WITH); \
	}
#include "rows.h"

enum { WITH_PLAIN, WITH_CTX };
#define ROW(name, WITH, N, T, SHAPE, body) \
	{ #name, #body, &api_type_##N, WITH_##WITH, call_##name },
const struct api_routine api_routines[] = {
#include "rows.h"
};
const size_t api_routine_count = COUNT(api_routines);
