/* SPDX-License-Identifier: BSD-3-Clause */
/* View of the type classes: declares each type's struct api_type. */
#ifndef API_TYPES_H
#define API_TYPES_H

#include <shmem/types.h>

#define API_TYPE(N, ...) extern const struct api_type api_type_##N;
#define API_BITS(SIZE, ...) API_TYPE(bits##SIZE)
SHMEMI_TYPES_SUM(API_TYPE, )
SHMEMI_SIZES(API_BITS, )
API_TYPE(mem)
#undef API_TYPE
#undef API_BITS

#endif
