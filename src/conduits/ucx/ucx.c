/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucs/debug/debug.h>

#include "base/log.h"
#include "gpu/gpu.h"

/* Peers that still are there answer within this; the others never. */
#define CLOSE_NS 3000000000u

struct ucx ucx;

/* Faults are the program's: UCX takes them when it is loaded. */
__attribute__((constructor)) static void signals_give_back(void)
{
	static const int signals[] = { SIGILL, SIGSEGV, SIGBUS, SIGFPE };

	if (getenv("UCX_HANDLE_ERRORS"))
		return;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct sigaction now;
		Dl_info info;

		if (!sigaction(signals[i], NULL, &now) &&
		    now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN &&
		    dladdr((void *)now.sa_sigaction, &info) &&
		    strstr(info.dli_fname, "libucs"))
			ucs_debug_disable_signal(signals[i]);
	}
}

/* Self and the node are others' unless the network shall be measured there. */
static int ucx_probe(const struct conduit_peer *peer, enum conduit_segment seg)
{
	int shared = seg == CONDUIT_HEAP || seg == CONDUIT_SYNC;

	if (conduit_settings.net_heap && shared)
		return 200;
	if (peer->pe == conduit_settings.me)
		return 0;
	return peer->same_node ? 1 : 50;
}

static int ucx_config(ucp_config_t **config)
{
	ucs_status_t status = ucp_config_read(NULL, NULL, config);

	if (status != UCS_OK)
		return ucx_failed(NULL, "read its UCX_ variables", status);
	/*
	 * With the protocols that are the default from 1.16 on, UCX finds none
	 * for atomics by CPUs, and its TCP stops while two peers connect to
	 * each other. Later versions may not know the name.
	 */
	if (!getenv("UCX_PROTO_ENABLE"))
		(void)ucp_config_modify(*config, "PROTO_ENABLE", "n");
	/* CPUs of the node work on the same words, by their instructions. */
	if (conduit_settings.device_atomics)
		return 0;
	status = ucp_config_modify(*config, "ATOMIC_MODE", "cpu");
	if (status == UCS_OK)
		return 0;
	ucp_config_release(*config);
	return ucx_failed(NULL, "take ATOMIC_MODE=cpu", status);
}

int ucx_context_open(void)
{
	ucp_params_t params = {
		.field_mask = UCP_PARAM_FIELD_FEATURES |
			      UCP_PARAM_FIELD_MT_WORKERS_SHARED |
			      UCP_PARAM_FIELD_ESTIMATED_NUM_EPS |
			      UCP_PARAM_FIELD_NAME,
		.features = UCP_FEATURE_RMA | UCP_FEATURE_AMO32 |
			    UCP_FEATURE_AMO64 | UCP_FEATURE_AM,
		.mt_workers_shared = 1,
		.estimated_num_eps = (size_t)conduit_settings.n_pes,
		.name = "sirocco",
	};
	ucp_config_t *config;
	ucs_status_t status;
	int rc;

	if (ucx.context)
		return 0;
	rc = ucx_config(&config);
	if (rc)
		return rc;
	if (conduit_settings.progress_thread)
		params.features |= UCP_FEATURE_WAKEUP;
	status = ucp_init(&params, config, &ucx.context);
	ucp_config_release(config);
	if (status == UCS_OK)
		return 0;
	ucx.context = NULL;
	return ucx_failed(NULL, "start", status);
}

static int ucx_open(struct conduit *conduit)
{
	ucx = (struct ucx){ .staging = shmemg && !shmemg_device.host_access };
	snprintf(conduit->note, sizeof(conduit->note), "UCX %s%s",
		 ucp_get_version_string(),
		 ucx.staging ? "; device memory staged through pinned host "
			       "memory in chunks of 512 KiB" :
			       "");
	return 0;
}

void ucx_receive_stop(void)
{
	ucx_progress_stop();
	ucx_workers_close(shmemi_now_ns() + CLOSE_NS);
}

static int ucx_close(struct conduit *conduit)
{
	(void)conduit;
	ucx_receive_stop();
	ucx_unpublish();
	if (ucx.context)
		ucp_cleanup(ucx.context);
	ucx.context = NULL;
	return 0;
}

extern const struct conduit conduit_ucx;
const struct conduit conduit_ucx = {
	.name = "ucx",
	.caps = CONDUIT_CAP_ALLOC | CONDUIT_CAP_RMA | CONDUIT_CAP_AMO |
		CONDUIT_CAP_NET,
	.ops = {
		.probe = ucx_probe,
		.open = ucx_open,
		.close = ucx_close,
		.alloc = ucx_alloc,
		.free = ucx_free,
		.export = ucx_export,
		.publish = ucx_publish,
		.connect = ucx_connect,
		.disconnect = ucx_disconnect,
		.queue_open = ucx_queue_open,
		.queue_close = ucx_queue_close,
		.put = ucx_put,
		.get = ucx_get,
		.amo = ucx_amo,
		.put_signal = ucx_put_signal,
		.fence = ucx_fence,
		.quiet = ucx_quiet,
		.progress = ucx_progress,
	},
};
