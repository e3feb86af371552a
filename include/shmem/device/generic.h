/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C11 generics of what groups call, as generic.h for the rest; the list of
 * #defines is kept by hand as well, and held against the tables by tests/api.
 */
#ifndef SHMEM_DEVICE_GENERIC_H
#define SHMEM_DEVICE_GENERIC_H

#define SHMEMX_MATCH(N, T, verb) T * : shmemx_##N##_##verb,
#define SHMEMX_MATCH_CTX(N, T, verb) T * : shmemx_ctx_##N##_##verb,

#define SHMEMX_CALL(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMX_MATCH, CLASS, verb, \
		      SHMEMI_FIRST(__VA_ARGS__, ))(__VA_ARGS__)
#define SHMEMX_TEAM(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMX_MATCH, CLASS, verb, \
		      SHMEMI_SECOND(__VA_ARGS__, ))(__VA_ARGS__)
#define SHMEMX_CTX(CLASS, verb, ...) \
	SHMEMI_SELECT(SHMEMX_MATCH_CTX, CLASS, verb, \
		      SHMEMI_SECOND(__VA_ARGS__, ))(__VA_ARGS__)

#define SHMEMX_CALL4(CLASS, verb, ...) \
	SHMEMI_PICK5(__VA_ARGS__, SHMEMX_CTX, SHMEMX_CALL, , , , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMX_CALL6(CLASS, verb, ...) \
	SHMEMI_PICK7(__VA_ARGS__, SHMEMX_CTX, SHMEMX_CALL, , , , , , ) \
	(CLASS, verb, __VA_ARGS__)
#define SHMEMX_CALL7(CLASS, verb, ...) \
	SHMEMI_PICK8(__VA_ARGS__, SHMEMX_CTX, SHMEMX_CALL, , , , , , , ) \
	(CLASS, verb, __VA_ARGS__)

#define shmemx_put_wave(...) SHMEMX_CALL4(KERNEL, put_wave, __VA_ARGS__)
#define shmemx_put_wg(...) SHMEMX_CALL4(KERNEL, put_wg, __VA_ARGS__)
#define shmemx_get_wave(...) SHMEMX_CALL4(KERNEL, get_wave, __VA_ARGS__)
#define shmemx_get_wg(...) SHMEMX_CALL4(KERNEL, get_wg, __VA_ARGS__)
#define shmemx_put_nbi_wave(...) SHMEMX_CALL4(KERNEL, put_nbi_wave, __VA_ARGS__)
#define shmemx_put_nbi_wg(...) SHMEMX_CALL4(KERNEL, put_nbi_wg, __VA_ARGS__)
#define shmemx_get_nbi_wave(...) SHMEMX_CALL4(KERNEL, get_nbi_wave, __VA_ARGS__)
#define shmemx_get_nbi_wg(...) SHMEMX_CALL4(KERNEL, get_nbi_wg, __VA_ARGS__)
#define shmemx_iput_wave(...) SHMEMX_CALL6(KERNEL, iput_wave, __VA_ARGS__)
#define shmemx_iput_wg(...) SHMEMX_CALL6(KERNEL, iput_wg, __VA_ARGS__)
#define shmemx_iget_wave(...) SHMEMX_CALL6(KERNEL, iget_wave, __VA_ARGS__)
#define shmemx_iget_wg(...) SHMEMX_CALL6(KERNEL, iget_wg, __VA_ARGS__)
#define shmemx_ibput_wave(...) SHMEMX_CALL7(KERNEL, ibput_wave, __VA_ARGS__)
#define shmemx_ibput_wg(...) SHMEMX_CALL7(KERNEL, ibput_wg, __VA_ARGS__)
#define shmemx_ibget_wave(...) SHMEMX_CALL7(KERNEL, ibget_wave, __VA_ARGS__)
#define shmemx_ibget_wg(...) SHMEMX_CALL7(KERNEL, ibget_wg, __VA_ARGS__)
#define shmemx_put_signal_wave(...) \
	SHMEMX_CALL7(KERNEL, put_signal_wave, __VA_ARGS__)
#define shmemx_put_signal_wg(...) \
	SHMEMX_CALL7(KERNEL, put_signal_wg, __VA_ARGS__)
#define shmemx_put_signal_nbi_wave(...) \
	SHMEMX_CALL7(KERNEL, put_signal_nbi_wave, __VA_ARGS__)
#define shmemx_put_signal_nbi_wg(...) \
	SHMEMX_CALL7(KERNEL, put_signal_nbi_wg, __VA_ARGS__)
#define shmemx_wait_until_wave(...) \
	SHMEMX_CALL(AMO, wait_until_wave, __VA_ARGS__)
#define shmemx_wait_until_wg(...) SHMEMX_CALL(AMO, wait_until_wg, __VA_ARGS__)
#define shmemx_wait_until_all_wave(...) \
	SHMEMX_CALL(AMO, wait_until_all_wave, __VA_ARGS__)
#define shmemx_wait_until_all_wg(...) \
	SHMEMX_CALL(AMO, wait_until_all_wg, __VA_ARGS__)
#define shmemx_wait_until_any_wave(...) \
	SHMEMX_CALL(AMO, wait_until_any_wave, __VA_ARGS__)
#define shmemx_wait_until_any_wg(...) \
	SHMEMX_CALL(AMO, wait_until_any_wg, __VA_ARGS__)
#define shmemx_wait_until_some_wave(...) \
	SHMEMX_CALL(AMO, wait_until_some_wave, __VA_ARGS__)
#define shmemx_wait_until_some_wg(...) \
	SHMEMX_CALL(AMO, wait_until_some_wg, __VA_ARGS__)
#define shmemx_wait_until_all_vector_wave(...) \
	SHMEMX_CALL(AMO, wait_until_all_vector_wave, __VA_ARGS__)
#define shmemx_wait_until_all_vector_wg(...) \
	SHMEMX_CALL(AMO, wait_until_all_vector_wg, __VA_ARGS__)
#define shmemx_wait_until_any_vector_wave(...) \
	SHMEMX_CALL(AMO, wait_until_any_vector_wave, __VA_ARGS__)
#define shmemx_wait_until_any_vector_wg(...) \
	SHMEMX_CALL(AMO, wait_until_any_vector_wg, __VA_ARGS__)
#define shmemx_wait_until_some_vector_wave(...) \
	SHMEMX_CALL(AMO, wait_until_some_vector_wave, __VA_ARGS__)
#define shmemx_wait_until_some_vector_wg(...) \
	SHMEMX_CALL(AMO, wait_until_some_vector_wg, __VA_ARGS__)
#define shmemx_test_wave(...) SHMEMX_CALL(AMO, test_wave, __VA_ARGS__)
#define shmemx_test_wg(...) SHMEMX_CALL(AMO, test_wg, __VA_ARGS__)
#define shmemx_test_all_wave(...) SHMEMX_CALL(AMO, test_all_wave, __VA_ARGS__)
#define shmemx_test_all_wg(...) SHMEMX_CALL(AMO, test_all_wg, __VA_ARGS__)
#define shmemx_test_any_wave(...) SHMEMX_CALL(AMO, test_any_wave, __VA_ARGS__)
#define shmemx_test_any_wg(...) SHMEMX_CALL(AMO, test_any_wg, __VA_ARGS__)
#define shmemx_test_some_wave(...) SHMEMX_CALL(AMO, test_some_wave, __VA_ARGS__)
#define shmemx_test_some_wg(...) SHMEMX_CALL(AMO, test_some_wg, __VA_ARGS__)
#define shmemx_test_all_vector_wave(...) \
	SHMEMX_CALL(AMO, test_all_vector_wave, __VA_ARGS__)
#define shmemx_test_all_vector_wg(...) \
	SHMEMX_CALL(AMO, test_all_vector_wg, __VA_ARGS__)
#define shmemx_test_any_vector_wave(...) \
	SHMEMX_CALL(AMO, test_any_vector_wave, __VA_ARGS__)
#define shmemx_test_any_vector_wg(...) \
	SHMEMX_CALL(AMO, test_any_vector_wg, __VA_ARGS__)
#define shmemx_test_some_vector_wave(...) \
	SHMEMX_CALL(AMO, test_some_vector_wave, __VA_ARGS__)
#define shmemx_test_some_vector_wg(...) \
	SHMEMX_CALL(AMO, test_some_vector_wg, __VA_ARGS__)
#define shmemx_alltoall_wave(...) \
	SHMEMX_TEAM(KERNEL, alltoall_wave, __VA_ARGS__)
#define shmemx_alltoall_wg(...) SHMEMX_TEAM(KERNEL, alltoall_wg, __VA_ARGS__)
#define shmemx_alltoall_grid(...) \
	SHMEMX_TEAM(KERNEL, alltoall_grid, __VA_ARGS__)
#define shmemx_alltoalls_wave(...) \
	SHMEMX_TEAM(KERNEL, alltoalls_wave, __VA_ARGS__)
#define shmemx_alltoalls_wg(...) SHMEMX_TEAM(KERNEL, alltoalls_wg, __VA_ARGS__)
#define shmemx_alltoalls_grid(...) \
	SHMEMX_TEAM(KERNEL, alltoalls_grid, __VA_ARGS__)
#define shmemx_alltoallv_wave(...) \
	SHMEMX_TEAM(KERNEL, alltoallv_wave, __VA_ARGS__)
#define shmemx_alltoallv_wg(...) SHMEMX_TEAM(KERNEL, alltoallv_wg, __VA_ARGS__)
#define shmemx_alltoallv_grid(...) \
	SHMEMX_TEAM(KERNEL, alltoallv_grid, __VA_ARGS__)
#define shmemx_broadcast_wave(...) \
	SHMEMX_TEAM(KERNEL, broadcast_wave, __VA_ARGS__)
#define shmemx_broadcast_wg(...) SHMEMX_TEAM(KERNEL, broadcast_wg, __VA_ARGS__)
#define shmemx_broadcast_grid(...) \
	SHMEMX_TEAM(KERNEL, broadcast_grid, __VA_ARGS__)
#define shmemx_collect_wave(...) SHMEMX_TEAM(KERNEL, collect_wave, __VA_ARGS__)
#define shmemx_collect_wg(...) SHMEMX_TEAM(KERNEL, collect_wg, __VA_ARGS__)
#define shmemx_collect_grid(...) SHMEMX_TEAM(KERNEL, collect_grid, __VA_ARGS__)
#define shmemx_fcollect_wave(...) \
	SHMEMX_TEAM(KERNEL, fcollect_wave, __VA_ARGS__)
#define shmemx_fcollect_wg(...) SHMEMX_TEAM(KERNEL, fcollect_wg, __VA_ARGS__)
#define shmemx_fcollect_grid(...) \
	SHMEMX_TEAM(KERNEL, fcollect_grid, __VA_ARGS__)
#define shmemx_and_reduce_wave(...) \
	SHMEMX_TEAM(BITS, and_reduce_wave, __VA_ARGS__)
#define shmemx_and_reduce_wg(...) SHMEMX_TEAM(BITS, and_reduce_wg, __VA_ARGS__)
#define shmemx_and_reduce_grid(...) \
	SHMEMX_TEAM(BITS, and_reduce_grid, __VA_ARGS__)
#define shmemx_or_reduce_wave(...) \
	SHMEMX_TEAM(BITS, or_reduce_wave, __VA_ARGS__)
#define shmemx_or_reduce_wg(...) SHMEMX_TEAM(BITS, or_reduce_wg, __VA_ARGS__)
#define shmemx_or_reduce_grid(...) \
	SHMEMX_TEAM(BITS, or_reduce_grid, __VA_ARGS__)
#define shmemx_xor_reduce_wave(...) \
	SHMEMX_TEAM(BITS, xor_reduce_wave, __VA_ARGS__)
#define shmemx_xor_reduce_wg(...) SHMEMX_TEAM(BITS, xor_reduce_wg, __VA_ARGS__)
#define shmemx_xor_reduce_grid(...) \
	SHMEMX_TEAM(BITS, xor_reduce_grid, __VA_ARGS__)
#define shmemx_max_reduce_wave(...) \
	SHMEMX_TEAM(KERNEL, max_reduce_wave, __VA_ARGS__)
#define shmemx_max_reduce_wg(...) \
	SHMEMX_TEAM(KERNEL, max_reduce_wg, __VA_ARGS__)
#define shmemx_max_reduce_grid(...) \
	SHMEMX_TEAM(KERNEL, max_reduce_grid, __VA_ARGS__)
#define shmemx_min_reduce_wave(...) \
	SHMEMX_TEAM(KERNEL, min_reduce_wave, __VA_ARGS__)
#define shmemx_min_reduce_wg(...) \
	SHMEMX_TEAM(KERNEL, min_reduce_wg, __VA_ARGS__)
#define shmemx_min_reduce_grid(...) \
	SHMEMX_TEAM(KERNEL, min_reduce_grid, __VA_ARGS__)
#define shmemx_sum_reduce_wave(...) \
	SHMEMX_TEAM(KERNEL, sum_reduce_wave, __VA_ARGS__)
#define shmemx_sum_reduce_wg(...) \
	SHMEMX_TEAM(KERNEL, sum_reduce_wg, __VA_ARGS__)
#define shmemx_sum_reduce_grid(...) \
	SHMEMX_TEAM(KERNEL, sum_reduce_grid, __VA_ARGS__)
#define shmemx_prod_reduce_wave(...) \
	SHMEMX_TEAM(KERNEL, prod_reduce_wave, __VA_ARGS__)
#define shmemx_prod_reduce_wg(...) \
	SHMEMX_TEAM(KERNEL, prod_reduce_wg, __VA_ARGS__)
#define shmemx_prod_reduce_grid(...) \
	SHMEMX_TEAM(KERNEL, prod_reduce_grid, __VA_ARGS__)
#define shmemx_sum_inscan_wave(...) \
	SHMEMX_TEAM(KERNEL, sum_inscan_wave, __VA_ARGS__)
#define shmemx_sum_inscan_wg(...) \
	SHMEMX_TEAM(KERNEL, sum_inscan_wg, __VA_ARGS__)
#define shmemx_sum_inscan_grid(...) \
	SHMEMX_TEAM(KERNEL, sum_inscan_grid, __VA_ARGS__)
#define shmemx_sum_exscan_wave(...) \
	SHMEMX_TEAM(KERNEL, sum_exscan_wave, __VA_ARGS__)
#define shmemx_sum_exscan_wg(...) \
	SHMEMX_TEAM(KERNEL, sum_exscan_wg, __VA_ARGS__)
#define shmemx_sum_exscan_grid(...) \
	SHMEMX_TEAM(KERNEL, sum_exscan_grid, __VA_ARGS__)

#endif
