/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type classes of the API: each is a list of X(TYPENAME, C type, ...); extra
 * arguments pass through, so that one list serves every view. A _DISTINCT
 * class holds each C type once, for _Generic and C++ overloads, where int32_t
 * and int may not both stand. Source: OpenSHMEM 1.6, tables 5 to 12.
 */
#ifndef SHMEM_TYPES_H
#define SHMEM_TYPES_H

#define SHMEMI_TYPES_REAL(X, ...) \
	X(float, float, __VA_ARGS__) \
	X(double, double, __VA_ARGS__)

/* Types that kernels don't have; their view defines this one empty. */
#define SHMEMI_HOST_TYPES(...) __VA_ARGS__

#define SHMEMI_TYPES_LONGDOUBLE(X, ...) \
	SHMEMI_HOST_TYPES(X(longdouble, long double, __VA_ARGS__))

#define SHMEMI_TYPES_COMPLEX(X, ...) \
	SHMEMI_HOST_TYPES(X(complexd, shmemi_complexd, __VA_ARGS__) \
			  X(complexf, shmemi_complexf, __VA_ARGS__))

#define SHMEMI_TYPES_LONGS(X, ...) \
	X(long, long, __VA_ARGS__) \
	X(longlong, long long, __VA_ARGS__)

#define SHMEMI_TYPES_SIGNED(X, ...) \
	X(int, int, __VA_ARGS__) \
	SHMEMI_TYPES_LONGS(X, __VA_ARGS__)

#define SHMEMI_TYPES_UNSIGNED(X, ...) \
	X(uint, unsigned int, __VA_ARGS__) \
	X(ulong, unsigned long, __VA_ARGS__) \
	X(ulonglong, unsigned long long, __VA_ARGS__)

#define SHMEMI_TYPES_NARROW_UNSIGNED(X, ...) \
	X(uchar, unsigned char, __VA_ARGS__) \
	X(ushort, unsigned short, __VA_ARGS__)

#define SHMEMI_TYPES_WIDE_FIXED(X, ...) \
	X(int32, int32_t, __VA_ARGS__) \
	X(int64, int64_t, __VA_ARGS__)

#define SHMEMI_TYPES_WIDE_UFIXED(X, ...) \
	X(uint32, uint32_t, __VA_ARGS__) \
	X(uint64, uint64_t, __VA_ARGS__)

#define SHMEMI_TYPES_NARROW_FIXED(X, ...) \
	X(int8, int8_t, __VA_ARGS__) \
	X(int16, int16_t, __VA_ARGS__)

#define SHMEMI_TYPES_NARROW_UFIXED(X, ...) \
	X(uint8, uint8_t, __VA_ARGS__) \
	X(uint16, uint16_t, __VA_ARGS__)

/* Standard RMA types: 24 names, 14 distinct types. */
#define SHMEMI_TYPES_INTEGER_DISTINCT(X, ...) \
	X(char, char, __VA_ARGS__) \
	X(schar, signed char, __VA_ARGS__) \
	X(short, short, __VA_ARGS__) \
	SHMEMI_TYPES_SIGNED(X, __VA_ARGS__) \
	SHMEMI_TYPES_NARROW_UNSIGNED(X, __VA_ARGS__) \
	SHMEMI_TYPES_UNSIGNED(X, __VA_ARGS__)

#define SHMEMI_TYPES_RMA_DISTINCT(X, ...) \
	SHMEMI_TYPES_REAL(X, __VA_ARGS__) \
	SHMEMI_TYPES_LONGDOUBLE(X, __VA_ARGS__) \
	SHMEMI_TYPES_INTEGER_DISTINCT(X, __VA_ARGS__)

/* Those of kernels: 13. */
#define SHMEMI_TYPES_KERNEL_DISTINCT(X, ...) \
	SHMEMI_TYPES_REAL(X, __VA_ARGS__) \
	SHMEMI_TYPES_INTEGER_DISTINCT(X, __VA_ARGS__)

#define SHMEMI_TYPES_RMA(X, ...) \
	SHMEMI_TYPES_RMA_DISTINCT(X, __VA_ARGS__) \
	SHMEMI_TYPES_NARROW_FIXED(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_FIXED(X, __VA_ARGS__) \
	SHMEMI_TYPES_NARROW_UFIXED(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_UFIXED(X, __VA_ARGS__) \
	X(size, size_t, __VA_ARGS__) \
	X(ptrdiff, ptrdiff_t, __VA_ARGS__)

/* Standard AMO types, also those of point-to-point synchronisation: 12. */
#define SHMEMI_TYPES_AMO_DISTINCT(X, ...) \
	SHMEMI_TYPES_SIGNED(X, __VA_ARGS__) \
	SHMEMI_TYPES_UNSIGNED(X, __VA_ARGS__)

#define SHMEMI_TYPES_AMO(X, ...) \
	SHMEMI_TYPES_AMO_DISTINCT(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_FIXED(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_UFIXED(X, __VA_ARGS__) \
	X(size, size_t, __VA_ARGS__) \
	X(ptrdiff, ptrdiff_t, __VA_ARGS__)

/* Extended AMO types: 14. */
#define SHMEMI_TYPES_XAMO_DISTINCT(X, ...) \
	SHMEMI_TYPES_REAL(X, __VA_ARGS__) \
	SHMEMI_TYPES_AMO_DISTINCT(X, __VA_ARGS__)

#define SHMEMI_TYPES_XAMO(X, ...) \
	SHMEMI_TYPES_REAL(X, __VA_ARGS__) \
	SHMEMI_TYPES_AMO(X, __VA_ARGS__)

/* Bitwise AMO types: 7. */
#define SHMEMI_TYPES_BAMO_DISTINCT(X, ...) \
	SHMEMI_TYPES_UNSIGNED(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_FIXED(X, __VA_ARGS__)

#define SHMEMI_TYPES_BAMO(X, ...) \
	SHMEMI_TYPES_BAMO_DISTINCT(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_UFIXED(X, __VA_ARGS__)

/* Reductions over a team: AND, OR, XOR 14; MAX, MIN 24; SUM, PROD, scans 26. */
#define SHMEMI_TYPES_BITS_DISTINCT(X, ...) \
	SHMEMI_TYPES_NARROW_UNSIGNED(X, __VA_ARGS__) \
	SHMEMI_TYPES_UNSIGNED(X, __VA_ARGS__) \
	SHMEMI_TYPES_NARROW_FIXED(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_FIXED(X, __VA_ARGS__)

#define SHMEMI_TYPES_BITS(X, ...) \
	SHMEMI_TYPES_BITS_DISTINCT(X, __VA_ARGS__) \
	SHMEMI_TYPES_NARROW_UFIXED(X, __VA_ARGS__) \
	SHMEMI_TYPES_WIDE_UFIXED(X, __VA_ARGS__) \
	X(size, size_t, __VA_ARGS__)

#define SHMEMI_TYPES_SUM_DISTINCT(X, ...) \
	SHMEMI_TYPES_RMA_DISTINCT(X, __VA_ARGS__) \
	SHMEMI_TYPES_COMPLEX(X, __VA_ARGS__)

#define SHMEMI_TYPES_SUM(X, ...) \
	SHMEMI_TYPES_RMA(X, __VA_ARGS__) \
	SHMEMI_TYPES_COMPLEX(X, __VA_ARGS__)

/* Deprecated forms: AMO names of 1.0, waits, and active-set reductions. */
#define SHMEMI_TYPES_OLD_AMO(X, ...) SHMEMI_TYPES_SIGNED(X, __VA_ARGS__)

#define SHMEMI_TYPES_OLD_XAMO(X, ...) \
	SHMEMI_TYPES_REAL(X, __VA_ARGS__) \
	SHMEMI_TYPES_SIGNED(X, __VA_ARGS__)

#define SHMEMI_TYPES_OLD_P2P(X, ...) \
	X(short, short, __VA_ARGS__) \
	X(ushort, unsigned short, __VA_ARGS__)

#define SHMEMI_TYPES_OLD_BITS(X, ...) \
	X(short, short, __VA_ARGS__) \
	SHMEMI_TYPES_SIGNED(X, __VA_ARGS__)

#define SHMEMI_TYPES_OLD_MAX(X, ...) \
	SHMEMI_TYPES_OLD_BITS(X, __VA_ARGS__) \
	SHMEMI_TYPES_REAL(X, __VA_ARGS__) \
	SHMEMI_TYPES_LONGDOUBLE(X, __VA_ARGS__)

#define SHMEMI_TYPES_OLD_SUM(X, ...) \
	SHMEMI_TYPES_OLD_MAX(X, __VA_ARGS__) \
	SHMEMI_TYPES_COMPLEX(X, __VA_ARGS__)

#define SHMEMI_TYPES_OLD_AMO_DISTINCT SHMEMI_TYPES_OLD_AMO
#define SHMEMI_TYPES_OLD_XAMO_DISTINCT SHMEMI_TYPES_OLD_XAMO
#define SHMEMI_TYPES_OLD_P2P_DISTINCT SHMEMI_TYPES_OLD_P2P
#define SHMEMI_TYPES_OLD_BITS_DISTINCT SHMEMI_TYPES_OLD_BITS

/* Element sizes in bits, as the SIZE of shmem_putSIZE. */
#define SHMEMI_SIZES_OLD(X, ...) X(32, __VA_ARGS__) X(64, __VA_ARGS__)

#define SHMEMI_SIZES(X, ...) \
	X(8, __VA_ARGS__) \
	X(16, __VA_ARGS__) \
	SHMEMI_SIZES_OLD(X, __VA_ARGS__) \
	X(128, __VA_ARGS__)

#endif
