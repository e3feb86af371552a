/* SPDX-License-Identifier: BSD-3-Clause */
/* What the PMIx clients can ask about the job. */
#ifndef OSHRUN_REGISTER_H
#define OSHRUN_REGISTER_H

#include <pmix.h>

struct job;

/* Registers the job's keys and each PE as a client of the server. */
pmix_status_t register_job(struct job *job);

#endif
