/* SPDX-License-Identifier: BSD-3-Clause */
/* What fake_verbs.c must have and nobody calls: no queue is made there. */
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define NEVER(name) \
	__attribute__((visibility("default"))) void name(void) \
	{ \
		abort(); \
	}
NEVER(ibv_create_cq)
NEVER(ibv_destroy_cq)
NEVER(ibv_create_qp)
NEVER(ibv_modify_qp)
NEVER(ibv_destroy_qp)
NEVER(ibv_get_async_event)
NEVER(ibv_ack_async_event)
NEVER(ibv_wc_status_str)
NEVER(ibv_event_type_str)
NEVER(mlx5dv_init_obj)
