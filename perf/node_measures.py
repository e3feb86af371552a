# SPDX-License-Identifier: BSD-3-Clause
"""What perf/compare-nodes measures, and the goals among it."""

import collections

from measures import KIB, MIB

# UCX_TLS of a setup, what ours needs to be set beside it, and its PEs.
Setup = collections.namedtuple("Setup", "name what tls ours")
SETUPS = [
    Setup("tcp", "two hosts, TCP over a virtual Ethernet", "tcp,self", {}),
    Setup("posix", "one host, as one PE a node", "posix,cma,self",
          {"SHMEM_NODE_SIZE": "1", "SHMEM_NET_HEAP": "yes"}),
]

# shown: "time", "rate" (operations a second) or "bandwidth".
# ucp: the test of ucp_limit that does the same. perftest: ucx_perftest's test
# and options, and whether its median or its overall time means the same.
# goal: of (which column, ours may take so many times as long).
# peer_test: what stands for the test where the peer's OpenSHMEM is too old.
Measure = collections.namedtuple(
    "Measure", "name program npes test bytes shown ucp perftest goal "
    "peer_test", defaults=(None,) * 4)

LATENCY, RATE, BANDWIDTH = "time", "rate", "bandwidth"
ONE = "-O 1"
POINT_TO_POINT = [
    Measure("put 8 B, half round trip", "pingpong", 2, "put", 8, LATENCY,
            "pingpong", ("ucp_put_lat", "", "median"), ("perftest", 1.1)),
    Measure("get 8 B", "latency", 2, "get", 8, LATENCY, "get",
            ("ucp_get", ONE, "median"), ("perftest", 1.1)),
    Measure("put 8 B, locally complete", "latency", 2, "put", 8, LATENCY,
            "put"),
    Measure("put + quiet 8 B", "latency", 2, "put_quiet", 8, LATENCY,
            "put_quiet"),
    Measure("put_signal 8 B, half round trip", "pingpong", 2, "put_signal", 8,
            LATENCY, "pingpong", peer_test="put_fence_p"),
    Measure("fetch_add", "latency", 2, "fetch_add", 8, LATENCY, "fetch_add",
            ("ucp_fadd", ONE, "median"), ("peer", 1)),
    Measure("compare_swap", "latency", 2, "cswap", 8, LATENCY, "cswap",
            ("ucp_cswap", ONE, "median"), ("peer", 1)),
    Measure("put_nbi 8 B", "message_rate", 2, "put_nbi", 8, RATE, "put_bw",
            ("ucp_put_bw", "", "overall"), ("perftest", 1 / 0.85)),
    Measure("get_nbi 8 B", "message_rate", 2, "get_nbi", 8, RATE, "get_bw",
            ("ucp_get", "", "overall"), ("perftest", 1 / 0.85)),
    Measure("put 1 MiB", "bandwidth", 2, "put", MIB, BANDWIDTH, "put_bw",
            ("ucp_put_bw", "", "overall"), ("perftest", 1 / 0.95)),
    Measure("get 1 MiB", "bandwidth", 2, "get", MIB, BANDWIDTH, "get_bw",
            ("ucp_get", "", "overall"), ("perftest", 1 / 0.95)),
]

# ucx_perftest's passive side sleeps up to 1 ms before it makes progress: over
# TCP these say nothing about the network, and UCP alone is the limit.
SLEEPY = {("tcp", "ucp_get"), ("tcp", "ucp_put_bw")}

SIZES = [8, 64, 512, 4 * KIB, 32 * KIB, 256 * KIB, MIB]


def size_text(size):
    for scale, unit in ((MIB, "MiB"), (KIB, "KiB")):
        if size >= scale:
            return f"{size // scale} {unit}"
    return f"{size} B"


COLLECTIVES = [Measure("barrier_all", "collectives", 4, "barrier_all", 0,
                       LATENCY, goal=("peer", 1))] + [
    Measure(f"{test} {size_text(size)}", "collectives", 4, test, size,
            LATENCY, goal=("peer", 1))
    for test in ("broadcast", "sum", "alltoall") for size in SIZES]

STARTUP_NPES = [4, 16, 64]


def measures_of(setup):
    return POINT_TO_POINT + (COLLECTIVES if setup.name == "tcp" else [])


def perftest_of(setup, m):
    if m.perftest is None or (setup.name, m.perftest[0]) in SLEEPY:
        return None
    return m.perftest
