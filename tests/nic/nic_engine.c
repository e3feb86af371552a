/* SPDX-License-Identifier: BSD-3-Clause */
#include "nic.h"

const struct nic_engine *const nic_engines[] = {
	&nic_mlx5,
	&nic_bnxt,
	&nic_ionic,
	&nic_soft,
	NULL,
};
