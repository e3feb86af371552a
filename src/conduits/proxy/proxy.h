/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy: threads that do for kernels what kernels' loads and stores can't,
 * transfers with far PEs, and atomics on host memory where the device's would
 * not mix with processors' (shmemg_info.host_atomics). Kernels leave entries in
 * rings of host memory (shmem/device/proxy.h); a thread takes all that a ring
 * has, starts it through the conduits that routes name, waits for it by one
 * quiet and lets kernels know by a count. Each ring has a context of its own,
 * and so a queue.
 */
#ifndef PROXY_H
#define PROXY_H

struct shmemd_proxy;

/*
 * Makes rings and starts the threads, or does nothing if they are there. After
 * all peers are connected. 0 or a negative errno, logged. close: no kernel runs
 * any more, peers are still there; what is in rings is done before.
 */
int proxy_open(void);
void proxy_close(void);

/* What kernels are to know; nothing while it is closed. */
void proxy_tell(struct shmemd_proxy *kernels);

/*
 * Waits for all that is in rings now; kernels that have ended leave nothing
 * behind it. At once while it is closed. Not by the proxy's own threads.
 */
void proxy_quiet(void);

#endif
