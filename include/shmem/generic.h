/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C11 generics. The element type is that of the first pointer; whether a
 * context comes first is told by the number of arguments, as each routine's is
 * fixed. A type that a routine does not take ends in a call of
 * shmemi_no_such_type, which does not exist. The list of #defines is the one
 * view that is kept by hand, as the preprocessor can't write a #define;
 * tests/api holds it against the tables.
 */
#include <shmem.h>

#ifndef SHMEM_GENERIC_H
#define SHMEM_GENERIC_H

void shmemi_no_such_type(void);

#define SHMEMI_FIRST(a, ...) a
#define SHMEMI_SECOND(a, ...) SHMEMI_FIRST(__VA_ARGS__)

#define SHMEMI_TYPES_P2P_DISTINCT(X, ...) \
	SHMEMI_TYPES_AMO_DISTINCT(X, __VA_ARGS__) \
	SHMEMI_TYPES_OLD_P2P(X, __VA_ARGS__)

#define SHMEMI_MATCH(N, T, verb) T * : shmem_##N##_##verb,
#define SHMEMI_MATCH_CONST(N, T, verb) \
	T * : shmem_##N##_##verb, const T * : shmem_##N##_##verb,
#define SHMEMI_MATCH_CTX(N, T, verb) T * : shmem_ctx_##N##_##verb,
#define SHMEMI_MATCH_CTX_CONST(N, T, verb) \
	T * : shmem_ctx_##N##_##verb, const T * : shmem_ctx_##N##_##verb,

#define SHMEMI_SELECT(MATCH, CLASS, verb, pointer) \
	_Generic((pointer), \
		SHMEMI_TYPES_##CLASS##_DISTINCT(MATCH, verb) \
		default: shmemi_no_such_type)

/* Without a context, with a team, with a context. */
#define SHMEMI_CALL(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMI_MATCH, CLASS, verb, \
		      SHMEMI_FIRST(__VA_ARGS__, ))(__VA_ARGS__)
#define SHMEMI_CONST(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMI_MATCH_CONST, CLASS, verb, \
		      SHMEMI_FIRST(__VA_ARGS__, ))(__VA_ARGS__)
#define SHMEMI_TEAM(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMI_MATCH, CLASS, verb, \
		      SHMEMI_SECOND(__VA_ARGS__, ))(__VA_ARGS__)
#define SHMEMI_CTX(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMI_MATCH_CTX, CLASS, verb, \
		      SHMEMI_SECOND(__VA_ARGS__, ))(__VA_ARGS__)
#define SHMEMI_CTX_CONST(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMI_MATCH_CTX_CONST, CLASS, verb, \
		      SHMEMI_SECOND(__VA_ARGS__, ))(__VA_ARGS__)

/* The macro for n arguments, or for n + 1 when a context comes first. */
#define SHMEMI_PICK3(a, b, c, m, ...) m
#define SHMEMI_PICK4(a, b, c, d, m, ...) m
#define SHMEMI_PICK5(a, b, c, d, e, m, ...) m
#define SHMEMI_PICK6(a, b, c, d, e, f, m, ...) m
#define SHMEMI_PICK7(a, b, c, d, e, f, g, m, ...) m
#define SHMEMI_PICK8(a, b, c, d, e, f, g, h, m, ...) m
#define SHMEMI_CALL2(CLASS, verb, ...) \
	SHMEMI_PICK3(__VA_ARGS__, SHMEMI_CTX, SHMEMI_CALL, , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMI_CONST2(CLASS, verb, ...) \
	SHMEMI_PICK3(__VA_ARGS__, SHMEMI_CTX_CONST, SHMEMI_CONST, , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMI_CALL3(CLASS, verb, ...) \
	SHMEMI_PICK4(__VA_ARGS__, SHMEMI_CTX, SHMEMI_CALL, , , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMI_CALL4(CLASS, verb, ...) \
	SHMEMI_PICK5(__VA_ARGS__, SHMEMI_CTX, SHMEMI_CALL, , , , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMI_CALL5(CLASS, verb, ...) \
	SHMEMI_PICK6(__VA_ARGS__, SHMEMI_CTX, SHMEMI_CALL, , , , , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMI_CALL6(CLASS, verb, ...) \
	SHMEMI_PICK7(__VA_ARGS__, SHMEMI_CTX, SHMEMI_CALL, , , , , , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMI_CALL7(CLASS, verb, ...) \
	SHMEMI_PICK8(__VA_ARGS__, SHMEMI_CTX, SHMEMI_CALL, , , , , , , ) \
	(CLASS, verb, __VA_ARGS__)

#define shmem_put(...) SHMEMI_CALL4(RMA, put, __VA_ARGS__)
#define shmem_get(...) SHMEMI_CALL4(RMA, get, __VA_ARGS__)
#define shmem_put_nbi(...) SHMEMI_CALL4(RMA, put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) SHMEMI_CALL4(RMA, get_nbi, __VA_ARGS__)
#define shmem_p(...) SHMEMI_CALL3(RMA, p, __VA_ARGS__)
#define shmem_g(...) SHMEMI_CONST2(RMA, g, __VA_ARGS__)
#define shmem_iput(...) SHMEMI_CALL6(RMA, iput, __VA_ARGS__)
#define shmem_iget(...) SHMEMI_CALL6(RMA, iget, __VA_ARGS__)
#define shmem_ibput(...) SHMEMI_CALL7(RMA, ibput, __VA_ARGS__)
#define shmem_ibget(...) SHMEMI_CALL7(RMA, ibget, __VA_ARGS__)
#define shmem_put_signal(...) SHMEMI_CALL7(RMA, put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) SHMEMI_CALL7(RMA, put_signal_nbi, __VA_ARGS__)
#define shmem_atomic_fetch(...) SHMEMI_CONST2(XAMO, atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) SHMEMI_CALL3(XAMO, atomic_set, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) \
	SHMEMI_CALL4(AMO, atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_swap(...) SHMEMI_CALL3(XAMO, atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) \
	SHMEMI_CALL2(AMO, atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) SHMEMI_CALL2(AMO, atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) \
	SHMEMI_CALL3(AMO, atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) SHMEMI_CALL3(AMO, atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) \
	SHMEMI_CALL3(BAMO, atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) SHMEMI_CALL3(BAMO, atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) \
	SHMEMI_CALL3(BAMO, atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) SHMEMI_CALL3(BAMO, atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) \
	SHMEMI_CALL3(BAMO, atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) SHMEMI_CALL3(BAMO, atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) \
	SHMEMI_CALL3(XAMO, atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) \
	SHMEMI_CALL5(AMO, atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) \
	SHMEMI_CALL4(XAMO, atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) \
	SHMEMI_CALL3(AMO, atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) \
	SHMEMI_CALL4(AMO, atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) \
	SHMEMI_CALL4(BAMO, atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) \
	SHMEMI_CALL4(BAMO, atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) \
	SHMEMI_CALL4(BAMO, atomic_fetch_xor_nbi, __VA_ARGS__)
#define shmem_alltoall(...) SHMEMI_TEAM(RMA, alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) SHMEMI_TEAM(RMA, alltoalls, __VA_ARGS__)
#define shmem_broadcast(...) SHMEMI_TEAM(RMA, broadcast, __VA_ARGS__)
#define shmem_collect(...) SHMEMI_TEAM(RMA, collect, __VA_ARGS__)
#define shmem_fcollect(...) SHMEMI_TEAM(RMA, fcollect, __VA_ARGS__)
#define shmem_and_reduce(...) SHMEMI_TEAM(BITS, and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) SHMEMI_TEAM(BITS, or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) SHMEMI_TEAM(BITS, xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) SHMEMI_TEAM(RMA, max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) SHMEMI_TEAM(RMA, min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) SHMEMI_TEAM(SUM, sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) SHMEMI_TEAM(SUM, prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) SHMEMI_TEAM(SUM, sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) SHMEMI_TEAM(SUM, sum_exscan, __VA_ARGS__)
#define shmem_wait_until(...) SHMEMI_CALL(P2P, wait_until, __VA_ARGS__)
#define shmem_test(...) SHMEMI_CALL(P2P, test, __VA_ARGS__)
#define shmem_wait_until_all(...) SHMEMI_CALL(AMO, wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) SHMEMI_CALL(AMO, wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) \
	SHMEMI_CALL(AMO, wait_until_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) \
	SHMEMI_CALL(AMO, wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) \
	SHMEMI_CALL(AMO, wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) \
	SHMEMI_CALL(AMO, wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all(...) SHMEMI_CALL(AMO, test_all, __VA_ARGS__)
#define shmem_test_any(...) SHMEMI_CALL(AMO, test_any, __VA_ARGS__)
#define shmem_test_some(...) SHMEMI_CALL(AMO, test_some, __VA_ARGS__)
#define shmem_test_all_vector(...) \
	SHMEMI_CALL(AMO, test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) \
	SHMEMI_CALL(AMO, test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) \
	SHMEMI_CALL(AMO, test_some_vector, __VA_ARGS__)
#define shmem_fetch(...) SHMEMI_CONST(OLD_XAMO, fetch, __VA_ARGS__)
#define shmem_set(...) SHMEMI_CALL(OLD_XAMO, set, __VA_ARGS__)
#define shmem_swap(...) SHMEMI_CALL(OLD_XAMO, swap, __VA_ARGS__)
#define shmem_cswap(...) SHMEMI_CALL(OLD_AMO, cswap, __VA_ARGS__)
#define shmem_finc(...) SHMEMI_CALL(OLD_AMO, finc, __VA_ARGS__)
#define shmem_inc(...) SHMEMI_CALL(OLD_AMO, inc, __VA_ARGS__)
#define shmem_fadd(...) SHMEMI_CALL(OLD_AMO, fadd, __VA_ARGS__)
#define shmem_add(...) SHMEMI_CALL(OLD_AMO, add, __VA_ARGS__)

/* Routines whose C function bears the generic's name. */
#define shmem_signal_add(...) \
	SHMEMI_PICK4(__VA_ARGS__, shmem_ctx_signal_add, shmem_signal_add, , ) \
	(__VA_ARGS__)
#define shmem_signal_set(...) \
	SHMEMI_PICK4(__VA_ARGS__, shmem_ctx_signal_set, shmem_signal_set, , ) \
	(__VA_ARGS__)
#define shmem_sync(...) \
	SHMEMI_PICK4(__VA_ARGS__, shmem_sync, , , shmem_team_sync, ) \
	(__VA_ARGS__)

#endif
