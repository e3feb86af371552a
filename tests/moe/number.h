/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of few bits, converted by arithmetic alone, unlike what the library
 * does.
 */
#ifndef TESTS_MOE_NUMBER_H
#define TESTS_MOE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of SHMEMX_MOE_BF16, ... */
size_t number_bytes(uint32_t dtype);

/* To the nearest, of two equally near to the even one. */
uint32_t number_encode(uint32_t dtype, double v);
double number_decode(uint32_t dtype, uint32_t bits);

/*
 * A number between 2^exponent and its double from random bits, the highest of
 * which is its sign; a denormal if the exponent is too small.
 */
uint32_t number_random(uint32_t dtype, int exponent, uint64_t random);

/* E4M3 without infinities: what is beyond 448 becomes 448. */
uint8_t number_encode_e4m3(double v);
double number_decode_e4m3(uint8_t bits);

/* Element i of an array of dtype. */
uint32_t number_load(uint32_t dtype, const void *array, size_t i);
void number_store(uint32_t dtype, void *array, size_t i, uint32_t bits);

#ifdef __cplusplus
}
#endif

#endif
