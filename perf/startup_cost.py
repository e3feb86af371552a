# SPDX-License-Identifier: BSD-3-Clause
"""What starting a job costs, for perf/compare-nodes: the time of the whole
command, and what each PE asks of PMIx, counted by perf/pmix_count.c."""

import json
import os
import re
import subprocess

from libraries import (SRC, Library, fail, human, peer_env, progress,
                       rows_of, run_text)
from node_measures import STARTUP_NPES

HEADS = ["job", "PEs", "time", "fences", "bytes put", "bytes got"]


def compile_count(out_dir):
    target = os.path.join(out_dir, "pmix_count.so")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "pmix"],
                           capture_output=True, text=True)
    if flags.returncode:
        fail("no pkg-config file of PMIx (Debian: libpmix-dev)")
    cmd = [os.environ.get("CC", "cc"), "-std=gnu11", "-O2", "-D_GNU_SOURCE",
           "-shared", "-fPIC", "-o", target,
           os.path.join(SRC, "pmix_count.c")]
    done = subprocess.run(cmd + flags.stdout.split(), capture_output=True,
                          text=True)
    if done.returncode:
        fail(f"cannot compile pmix_count.c:\n{done.stderr}")


def ours_jobs(args, out_dir):
    launcher = args.run or os.path.join(args.build, "src/launch/oshrun")
    program = [os.path.join(args.build, "perf/memory"), "--init-only"]
    count = os.path.join(out_dir, "pmix_count.so")
    far = {"SHMEM_NODE_SIZE": "4", "UCX_TLS": "tcp,self"}
    for label, variables in (("ours, one node", {}),
                             ("ours, nodes of 4", far)):
        yield (label, lambda n: [launcher, "-n", str(n)] + program,
               lambda n: ["env", "LD_PRELOAD=" + count, launcher, "-n",
                          str(n)] + program, variables)


def peer_job(args, out_dir):
    program = [os.path.join(out_dir, "memory"), "--init-only"]

    def launch(preload):
        return lambda n: [args.mpirun, "--oversubscribe", "--bind-to", "none",
                          "--mca", "mpi_yield_when_idle", "1", "-x",
                          "LD_PRELOAD=" + ":".join(preload), "-np",
                          str(n)] + program

    keep = [args.peer_preload] if args.peer_preload else []
    return ("peer", launch(keep),
            launch(keep + [os.path.join(out_dir, "pmix_count.so")]),
            {"UCX_TLS": "tcp,self"})


def counts(cmd, env, timeout_s):
    """The counters of the PE that has most; {} when there are none."""
    out, errors, _ = run_text(cmd, env, timeout_s)
    most = {}
    for line in re.findall(r"pmix_count (\{.*?\})", out + errors):
        for name, value in json.loads(line).items():
            most[name] = max(value, most.get(name, 0))
    return most


def measure(args, out_dir):
    jobs = [peer_job(args, out_dir)]
    if not args.peer_only:
        jobs += ours_jobs(args, out_dir)
    rows = []
    for label, timed, counted, variables in jobs:
        env = {**peer_env(), **variables}
        lib = Library(label, None, None, env, args.timeout)
        for npes in STARTUP_NPES:
            progress(f"start-up: {label}, {npes} PEs")
            doc = lib.document([os.path.join(out_dir, "startup"), "--json",
                                "--iters=1", f"--reps={min(3, args.rounds)}"] +
                               timed(npes))
            time = rows_of(doc).get(("command", 0)) or \
                rows_of(doc).get(("command", 8))
            rows.append({"job": label, "pes": npes,
                         "ns": time and time[args.stat],
                         **counts(counted(npes), env, args.timeout)})
    progress("")
    return rows


def cells(row):
    return [row["job"], str(row["pes"]), human(row["ns"], "ns"),
            str(row.get("fences", "-")), str(row.get("put_bytes", "-")),
            str(row.get("get_bytes", "-"))]
