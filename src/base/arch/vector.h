/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VECTOR_CLONES before a function compiles it for each vector extension of
 * the architecture and picks one when the library is loaded. The sanitizers
 * are not ready yet at that moment.
 */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

/*
 * The loop that follows has no dependence from one turn to the next. clang
 * finds out by itself, and warns where its own order does not get it anywhere.
 */
#ifdef __clang__
#define VECTOR_LOOP
#else
#define VECTOR_LOOP _Pragma("GCC ivdep")
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTOR_CLONES \
	__attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define VECTOR_CLONES
#endif

#endif
