/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends a view of the tables: forgets the row macros. */
#undef SHMEMI_PLAIN
#undef SHMEMI_PLAIN_C
#undef SHMEMI_OLD_REDUCE
#undef SHMEMI_TYPED
#undef SHMEMI_TYPED_CTX
#undef SHMEMI_STRIDED
#undef SHMEMI_RMA
#undef SHMEMI_COLL
#undef SHMEMI_OLD_COLL
