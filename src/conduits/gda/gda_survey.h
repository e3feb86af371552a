/* SPDX-License-Identifier: BSD-3-Clause */
/* All ports of all NICs, and what is made of them. */
#ifndef GDA_SURVEY_H
#define GDA_SURVEY_H

#include "conduits/gda/gda_impl.h"

/* A port, or a device of which none was looked at: then nic.port is 0. */
struct gda_port {
	struct gda_nic nic; /* with a context if the port could be taken */
	const char *state;
	char why[128]; /* it is not taken; "" if it is */
	int taken;     /* 1 is the first of those that are; 0: it isn't */
};

struct gda_survey {
	struct gda_port *ports; /* the nearest ones first */
	int n;
	struct ibv_device **devices;
};

/*
 * Looks at all ports and chooses those of the local_rank-th PE of a node;
 * libibverbs is open. 0 or a negative errno, logged. close: also the contexts
 * that are left in ports; the providers stay loaded.
 */
int gda_survey_open(struct gda_survey *survey, unsigned int local_rank);
void gda_survey_close(struct gda_survey *survey);

/*
 * The provider that is to have a device, its library loaded until unload; NULL
 * and the reason in words if there is none.
 */
const struct gda_provider *gda_provider_for(struct ibv_device *device,
					    char *why, size_t bytes);
void gda_providers_unload(void);
/* Why the settings let this PE take no NIC at all; NULL: they do. */
const char *gda_off(void);

#endif
