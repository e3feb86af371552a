/* SPDX-License-Identifier: BSD-3-Clause */
/* Instantiates the kernels, one inclusion a type. */
#include "base/arch/vector.h"
#include "host/reduce.h"

#define ORDER
#define SUM
#define N float
#define T float
#include "host/reduce.inc"
#define N double
#define T double
#include "host/reduce.inc"
#define N longdouble
#define T long double
#include "host/reduce.inc"
#define N char
#define T char
#include "host/reduce.inc"
#define N schar
#define T signed char
#include "host/reduce.inc"
#define N ptrdiff
#define T ptrdiff_t
#include "host/reduce.inc"

#define BITS
#define N short
#define T short
#include "host/reduce.inc"
#define N int
#define T int
#include "host/reduce.inc"
#define N long
#define T long
#include "host/reduce.inc"
#define N longlong
#define T long long
#include "host/reduce.inc"
#define N uchar
#define T unsigned char
#include "host/reduce.inc"
#define N ushort
#define T unsigned short
#include "host/reduce.inc"
#define N uint
#define T unsigned int
#include "host/reduce.inc"
#define N ulong
#define T unsigned long
#include "host/reduce.inc"
#define N ulonglong
#define T unsigned long long
#include "host/reduce.inc"
#define N int8
#define T int8_t
#include "host/reduce.inc"
#define N int16
#define T int16_t
#include "host/reduce.inc"
#define N int32
#define T int32_t
#include "host/reduce.inc"
#define N int64
#define T int64_t
#include "host/reduce.inc"
#define N uint8
#define T uint8_t
#include "host/reduce.inc"
#define N uint16
#define T uint16_t
#include "host/reduce.inc"
#define N uint32
#define T uint32_t
#include "host/reduce.inc"
#define N uint64
#define T uint64_t
#include "host/reduce.inc"
#define N size
#define T size_t
#include "host/reduce.inc"
#undef BITS
#undef ORDER

#define N complexd
#define T shmemi_complexd
#include "host/reduce.inc"
#define N complexf
#define T shmemi_complexf
#include "host/reduce.inc"
