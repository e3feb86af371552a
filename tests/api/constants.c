/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants and handles are such wherever C wants one; C++ the same file. */
#include <shmem.h>

extern const char *const vendor;
extern int numbers(int number);

static long sync_any[SHMEM_SYNC_SIZE];
static long sync_barrier[SHMEM_BARRIER_SYNC_SIZE];
static long sync_bcast[SHMEM_BCAST_SYNC_SIZE];
static long sync_collect[SHMEM_COLLECT_SYNC_SIZE];
static long sync_reduce[SHMEM_REDUCE_SYNC_SIZE];
static long sync_alltoall[SHMEM_ALLTOALL_SYNC_SIZE];
static long sync_alltoalls[SHMEM_ALLTOALLS_SYNC_SIZE];
static char name[SHMEM_MAX_NAME_LEN];
static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE] = { SHMEM_SYNC_VALUE };
const char *const vendor = SHMEM_VENDOR_STRING "";

static shmem_team_t teams[] = { SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD,
				SHMEM_TEAM_SHARED };
static shmem_ctx_t ctxs[] = { SHMEM_CTX_INVALID, SHMEM_CTX_DEFAULT };

enum twins {
	CMP = 1 / (_SHMEM_CMP_EQ == SHMEM_CMP_EQ &&
		   _SHMEM_CMP_NE == SHMEM_CMP_NE &&
		   _SHMEM_CMP_GT == SHMEM_CMP_GT &&
		   _SHMEM_CMP_LE == SHMEM_CMP_LE &&
		   _SHMEM_CMP_LT == SHMEM_CMP_LT &&
		   _SHMEM_CMP_GE == SHMEM_CMP_GE),
	SIZES = 1 / (_SHMEM_BARRIER_SYNC_SIZE == SHMEM_BARRIER_SYNC_SIZE &&
		     _SHMEM_BCAST_SYNC_SIZE == SHMEM_BCAST_SYNC_SIZE &&
		     _SHMEM_COLLECT_SYNC_SIZE == SHMEM_COLLECT_SYNC_SIZE &&
		     _SHMEM_REDUCE_SYNC_SIZE == SHMEM_REDUCE_SYNC_SIZE &&
		     _SHMEM_REDUCE_MIN_WRKDATA_SIZE ==
			     SHMEM_REDUCE_MIN_WRKDATA_SIZE &&
		     _SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE),
	VERSION = 1 / (_SHMEM_MAJOR_VERSION == 1 && SHMEM_MAJOR_VERSION == 1 &&
		       _SHMEM_MINOR_VERSION == 6 && SHMEM_MINOR_VERSION == 6 &&
		       _SHMEM_MAX_NAME_LEN == SHMEM_MAX_NAME_LEN &&
		       sizeof(_SHMEM_VENDOR_STRING) ==
			       sizeof(SHMEM_VENDOR_STRING) &&
		       sizeof(SHMEM_VENDOR_STRING) <= SHMEM_MAX_NAME_LEN),
	THREADS = 1 / (SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED &&
		       SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
		       SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE),
	FLAGS = 1 / (!(SHMEM_CTX_SERIALIZED & SHMEM_CTX_PRIVATE) &&
		     !(SHMEM_CTX_NOSTORE &
		       (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE)) &&
		     !(SHMEM_CTX_SESSION_TOTAL_OPS & SHMEM_CTX_SESSION_BATCH) &&
		     !(SHMEM_MALLOC_ATOMICS_REMOTE &
		       SHMEM_MALLOC_SIGNAL_REMOTE) &&
		     SHMEM_TEAM_NUM_CONTEXTS != 0),
	SIGNALS = 1 / (SHMEM_SIGNAL_SET != SHMEM_SIGNAL_ADD)
};

#if SHMEM_MAJOR_VERSION != 1 || SHMEM_THREAD_SINGLE > SHMEM_THREAD_MULTIPLE
#error the preprocessor must know them, too
#endif

int numbers(int number)
{
	switch (number) {
	case SHMEM_CMP_EQ:
	case SHMEM_CMP_NE:
	case SHMEM_CMP_GT:
	case SHMEM_CMP_LE:
	case SHMEM_CMP_LT:
	case SHMEM_CMP_GE:
		return 1;
	}
	return teams[0] == SHMEM_TEAM_INVALID && ctxs[0] == SHMEM_CTX_INVALID &&
	       !sync_any[0] && !sync_barrier[0] && !sync_bcast[0] &&
	       !sync_collect[0] && !sync_reduce[0] && !sync_alltoall[0] &&
	       !sync_alltoalls[0] && !name[0] && !work[0];
}
