# SPDX-License-Identifier: BSD-3-Clause
"""What perf/compare measures, and the targets among it."""

import collections

KIB = 1024
MIB = 1024 * KIB
STARTUP_PES = 64

# limit: (how many, which test of perf/limit, its size).
# speedup: ours must be so many times as fast as the peer; share: of the
# limit's speed; most: an absolute bound.
Measure = collections.namedtuple(
    "Measure", "name program npes test bytes limit speedup share most",
    defaults=(None,) * 4)


def copies(n, size):
    return (n, "copy", size)


BOUNCE = (1, "bounce", 8)
WORD = copies(1, 8)
MEASURES = [
    Measure("put 8 B", "latency", 2, "put", 8, WORD, 5),
    Measure("get 8 B", "latency", 2, "get", 8, WORD, 8),
    Measure("p", "latency", 2, "p", 8, WORD, 5),
    Measure("p to a static variable", "latency", 2, "p_static", 8, WORD, 50),
    Measure("g", "latency", 2, "g", 8, WORD),
    Measure("put + quiet 8 B", "latency", 2, "put_quiet", 8, WORD),
    Measure("fetch_add", "latency", 2, "fetch_add", 8, (1, "xadd", 8), 3),
    Measure("put 64 KiB", "latency", 2, "put", 64 * KIB,
            copies(1, 64 * KIB), None, 0.95),
    Measure("put 1 MiB", "latency", 2, "put", MIB, copies(1, MIB), None, 0.95),
    Measure("put_nbi 8 B, a message", "message_rate", 2, "put_nbi", 8, WORD),
    Measure("put_nbi 1 KiB, a message", "message_rate", 2, "put_nbi", KIB,
            copies(1, KIB)),
    Measure("ping-pong 8 B", "pingpong", 2, "p", 8, BOUNCE, 1),
    Measure("barrier_all", "collectives", 2, "barrier_all", 0, BOUNCE, 2),
    Measure("sync_all", "collectives", 2, "sync_all", 0, BOUNCE),
    Measure("alltoall 8 B", "collectives", 2, "alltoall", 8, BOUNCE, 3),
    Measure("alltoall 64 KiB", "collectives", 2, "alltoall", 64 * KIB,
            copies(2, 64 * KIB), 10),
    Measure("sum of 1 double", "collectives", 2, "sum", 8, BOUNCE, 2),
    Measure("sum of 8192 doubles", "collectives", 2, "sum", 64 * KIB,
            copies(1, 64 * KIB), 8),
    Measure("broadcast 8 B", "collectives", 2, "broadcast", 8, None, 1),
    Measure("broadcast 256 KiB", "collectives", 2, "broadcast", 256 * KIB,
            copies(1, 256 * KIB), 8),
    Measure("fcollect 64 KiB", "collectives", 2, "fcollect", 64 * KIB,
            copies(2, 64 * KIB)),
    Measure("barrier_all", "collectives", 4, "barrier_all", 0, None, 2),
    Measure("alltoall 64 KiB", "collectives", 4, "alltoall", 64 * KIB,
            copies(8, 64 * KIB), 8),
    Measure("sum of 8192 doubles", "collectives", 4, "sum", 64 * KIB,
            copies(2, 64 * KIB), 4),
    Measure("init + finalize", "startup", STARTUP_PES, "command", 0, None,
            0.5),
    Measure("memory beside the heap", "memory", STARTUP_PES, "beside_heap", 0,
            None, None, None, 16 * MIB),
]
