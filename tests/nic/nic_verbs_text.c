/* SPDX-License-Identifier: BSD-3-Clause */
#include "nic.h"

NIC_EXPORT const char *ibv_wc_status_str(enum ibv_wc_status status)
{
	static const char *const texts[] = {
		[IBV_WC_SUCCESS] = "success",
		[IBV_WC_LOC_LEN_ERR] = "local length error",
		[IBV_WC_LOC_QP_OP_ERR] = "local QP operation error",
		[IBV_WC_LOC_PROT_ERR] = "local protection error",
		[IBV_WC_WR_FLUSH_ERR] = "flushed",
		[IBV_WC_BAD_RESP_ERR] = "bad response",
		[IBV_WC_LOC_ACCESS_ERR] = "local access error",
		[IBV_WC_REM_INV_REQ_ERR] = "remote invalid request",
		[IBV_WC_REM_ACCESS_ERR] = "remote access error",
		[IBV_WC_REM_OP_ERR] = "remote operation error",
		[IBV_WC_RETRY_EXC_ERR] = "the peer does not answer",
		[IBV_WC_RNR_RETRY_EXC_ERR] = "the peer is not ready",
		[IBV_WC_FATAL_ERR] = "fatal error",
		[IBV_WC_GENERAL_ERR] = "general error",
	};
	const unsigned int i = (unsigned int)status;

	return i < sizeof(texts) / sizeof(texts[0]) && texts[i] ?
		       texts[i] :
		       "unknown status";
}

NIC_EXPORT const char *ibv_event_type_str(enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_QP_FATAL:
		return "queue pair failed";
	case IBV_EVENT_QP_ACCESS_ERR:
		return "access was refused to a queue pair";
	case IBV_EVENT_PORT_ACTIVE:
		return "port is up";
	case IBV_EVENT_PORT_ERR:
		return "port is down";
	case IBV_EVENT_DEVICE_FATAL:
		return "device failed";
	default:
		return "event";
	}
}

NIC_EXPORT const char *ibv_port_state_str(enum ibv_port_state state)
{
	switch (state) {
	case IBV_PORT_DOWN:
		return "down";
	case IBV_PORT_ACTIVE:
		return "active";
	default:
		return "neither down nor active";
	}
}
