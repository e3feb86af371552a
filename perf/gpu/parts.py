# SPDX-License-Identifier: BSD-3-Clause
"""What perf/gpu/node runs, part by part: see there."""

import json
import os
import sys

import tables
from figures import link_limit, merge, rows_of
from programs import (LIBRARIES, SRC, TOP, Failed, Mps, Programs, here,
                      parse_document)

TOP_K, HIDDEN, EXPERTS = 8, 7168, 256
FEW_TESTS = ["barrier", "put_signal", "coll_alltoall", "stream_coll"]


class Node:
    """What the parts share: numbers, the runner, and what is found."""

    def __init__(self, args, gpus, work, run, out):
        self.args, self.gpus, self.work, self.run = args, gpus, work, run
        self.out = out          # prints a piece of the document
        self.few = args.quick or args.cpu
        self.results, self.targets, self.failures = {}, [], []
        self.limit = None
        self.programs = Programs(args, gpus, work, run)

    def pes(self):
        """One and two PEs a GPU, and where there are few GPUs, more."""
        if self.args.pes:
            return self.args.pes
        pes = {self.gpus, 2 * self.gpus}
        if self.gpus < 8 and not self.few:
            pes |= {2, 4, 8}
        return sorted(pes)

    def attempt(self, cmd, env=None, limit_s=None):
        """A command's output; None where it failed, which is told."""
        try:
            return self.run(cmd, env, limit_s)
        except Failed as e:
            self.fail(str(e))
            return None

    def fail(self, text):
        self.failures.append(text)
        self.out("**Failed**:\n\n" + indented(here(text, self.work)))

    def mps(self):
        return Mps(self.work, wanted=not (self.args.cpu or self.run.dry))

    def suffix(self):
        return "" if self.args.cpu else ".gpu"

    def launch(self, n_pes, heap_mib, program, options):
        """(command, settings) of one of ours, by its JSON."""
        return (["src/launch/oshrun", "-n", str(n_pes), program +
                 self.suffix(), "--json", f"--gpus={self.gpus}"] + options,
                {"SHMEM_SYMMETRIC_SIZE": f"{heap_mib}m"})

    def rows(self, command):
        """The rows of a program of ours; none where it failed."""
        text = self.attempt(*command)
        if not text:
            return []
        document = parse_document(text)
        if not document or document["wrong_bytes"]:
            self.fail("wrong bytes, or no result: " + json.dumps(command))
            return []
        return document["rows"]


def indented(text):
    return "\n".join("    " + line for line in text.splitlines())


def tests(node):
    """The device suite, also with the few PEs that some of it is for."""
    pes = " ".join(map(str, sorted({1, 2} | set(node.pes()))))
    cmd = ["sh", os.path.join(TOP, "tests/gpu/run"), "-p", pes, "-o",
           "gpu-logs", "-t", "180"] + (FEW_TESTS if node.few else [])
    try:
        text, passed = node.run(cmd, limit_s=6 * node.args.limit), True
    except Failed as e:
        text, passed = e.output or str(e), False
        bad = [line for line in text.splitlines() if "FAILED" in line]
        node.fail(str(e) + "\n" + "\n".join(bad))
    if not node.run.dry:
        last = text.strip().splitlines()[-1]
        node.targets.append(tables.Target(
            f"device suite, {pes} PEs: no failure", last, passed))


def build(node, libraries):
    for why in node.programs.build(libraries).values():
        if isinstance(why, Failed):
            node.fail(str(why))
        elif why:
            node.out(f"There is {why}.")


def bench(node, names, pes, options):
    most_mib = 1 if node.few else 64
    options = options + ["--most", str(most_mib)] + ["--quick"] * node.few
    for n in pes:
        for name in names:
            for cmd, env in node.programs.commands(name, n, options,
                                                   most_mib):
                try:
                    text = node.run(cmd, env)
                except Failed as e:     # what came before was checked
                    node.fail(str(e))
                    text = e.output
                merge(node.results.setdefault((name, n), {}), rows_of(text))


def find_limit(node):
    """What the links can do, by kernels without a library."""
    if node.gpus < 2 or node.args.cpu:
        return
    build(node, ["bare"])
    with node.mps():
        bench(node, ["bare"], sorted({2, node.gpus}), ["--limit"])
    show_limit(node)


def show_limit(node):
    before = node.limit
    node.limit, how = link_limit(node.results, node.gpus)
    if node.limit and node.limit != before:
        node.out(f"Limit of the links: {node.limit:.1f} GB/s out of each GPU "
                 f"({how}).")


def alltoall(node):
    """Beside NCCL, NVSHMEM and bare kernels."""
    pes = sorted({2} | set(node.pes())) \
        if node.gpus > 1 and not node.args.pes else node.pes()
    names = ["sirocco"] if node.args.cpu else LIBRARIES
    if node.args.cpu:
        node.programs.built["sirocco"] = "perf/gpu/bench"
    else:
        build(node, names)
    with node.mps():
        bench(node, names, pes, [])
    if node.run.dry:
        return
    show_limit(node)
    pes = [n for n in pes if n in node.pes()]
    node.out("What leaves a GPU, in blocks of a pair: " +
             tables.counted(node.gpus, pes) + ".")
    node.out("### Calls\n\n" + tables.calls_table(node.results))
    for n in pes:
        for scope in tables.SCOPES:
            node.out(f"### Alltoall {scope[0]}, {n} PEs\n\n" +
                     tables.alltoall_table(node.results, n, node.gpus,
                                           node.limit, scope))
    node.targets += tables.call_targets(node.results, [2] + pes, node.gpus)
    node.targets += tables.alltoall_targets(node.results, pes, node.gpus,
                                            node.limit)


def vdev_torch(node, n_pes, experts, tokens):
    """{tokens: us} of PyTorch; it reads MPS's share by itself."""
    text = node.attempt([
        sys.executable, os.path.join(SRC, "vdev_2d.py"), "--ranks",
        str(n_pes), "--experts", str(experts), "--tokens",
        ",".join(map(str, tokens)), "--hidden", str(HIDDEN), "--port",
        str(29511 + n_pes)] + ["--reps=2", "--iters=3"] * node.few)
    found = {}
    for line in (text or "").splitlines():
        cells = line.split("\t")
        if cells[0] == "torch" and len(cells) == 5:
            found[int(cells[2])] = float(cells[3].split()[0])
    return found


def vdev_ours(node, n_pes, experts, pairs):
    """{(bytes, test): us}"""
    row = 2 * HIDDEN
    heap_mib = 2 * max(pairs) * n_pes // (1 << 20) + 512
    command = node.launch(n_pes, heap_mib, "perf/alltoall", [
        f"--row={row}", f"--experts={experts}",
        "--sizes=" + ",".join(map(str, pairs)),
        "--tests=alltoallv_2d_stream,alltoallv_2d_grid"] + (
            ["--iters=3", "--reps=2"] if node.few else
            ["--iters=10", "--reps=5"]))
    return {(r["bytes"], r["test"].rsplit("_", 1)[1]): r["median_ns"] * 1e-3
            for r in node.rows(command)}


def vdev(node):
    """Rows to experts, beside PyTorch's all_to_all_vdev_2d."""
    tokens, experts = ([16] if node.few else [128, 1024, 4096]), 16
    node.out(f"Rows of hidden {HIDDEN} in BF16, top-{TOP_K}, {experts} "
             "experts a PE: PyTorch's operation takes no more than 16 of a "
             "rank, and 32 ranks.")
    rows = []
    with node.mps():
        for n in [n for n in node.pes() if n > 1]:
            pairs = [t * TOP_K * 2 * HIDDEN // n for t in tokens]
            torch = {} if node.args.cpu else \
                vdev_torch(node, n, experts, tokens)
            ours = vdev_ours(node, n, experts, pairs)
            for t, pair in zip(tokens, pairs):
                us = {"torch": torch.get(t)}
                us.update({who: ours.get((pair, who))
                           for who in ("stream", "grid")})
                rows.append((n, t, pair, {k: v for k, v in us.items() if v}))
    if not node.run.dry:
        node.out(tables.vdev_table(rows, node.gpus, node.limit))


def moe_heap_mib(n_pes, tokens, hidden, layout):
    """Rows as many as may come, as FP8, results and gradients as BF16."""
    rows = n_pes * tokens * TOP_K
    if layout == "slots":
        rows = tokens * EXPERTS
    return (rows * hidden * 21 // 4 + 4 * tokens * hidden) // (1 << 20) + 1024


def moe_runs(few, many, most_wgs):
    """(layout, work-groups, tokens, tests) of a number of PEs."""
    exchanges = "dispatch,dispatch_again,combine,both"
    runs = [("compact", 0, few, exchanges), ("compact", 0, many, exchanges),
            ("slots", 0, few, exchanges)]
    return runs + [("compact", wgs, many, "dispatch,combine")
                   for wgs in most_wgs]


def moe_command(node, n_pes, layout, wgs, tokens, tests_, more=()):
    hidden = 256 if node.args.cpu else HIDDEN
    options = [f"--sizes={tokens}", f"--tests={tests_}", f"--layout={layout}",
               f"--hidden={hidden}", f"--experts={EXPERTS}",
               f"--top-k={TOP_K}", "--quant=fp8", "--dtype=bf16"]
    options += ["--iters=3", "--reps=3"] if node.few else \
        ["--iters=50", "--reps=11"] if tokens <= 512 else \
        ["--iters=10", "--reps=7"]
    options += [f"--wgs={wgs}"] * (wgs > 0) + list(more)
    return node.launch(n_pes, moe_heap_mib(n_pes, tokens, hidden, layout),
                       "perf/moe", options)


def overlap(node, n_pes, wgs, tokens):
    """Products that take as long as the exchanges, beside them."""
    ns = {r["test"]: r["median_ns"] for r in node.rows(moe_command(
        node, n_pes, "compact", wgs, tokens, "gemm,both"))}
    n_gemms = max(1, round(ns["both"] / ns["gemm"])) if len(ns) == 2 else 1
    rows = node.rows(moe_command(
        node, n_pes, "compact", wgs, tokens, "gemm,both,gemm_beside",
        [f"--gemms={n_gemms}"]))
    ns = {r["test"]: r["median_ns"] for r in rows}
    if len(ns) < 3:
        return []
    return [tables.overlap_row(n_pes, tokens, wgs, n_gemms, ns)]


def moe(node):
    """Dispatch and combine, shapes of DeepSeek-V3, and beside a GEMM."""
    few, many = (16, 128) if node.few else (128, 4096)
    few, many = (1, 16) if node.args.cpu else (few, many)
    most_wgs = [2] if node.args.cpu else [32] if node.few else [8, 16, 32, 64]
    rows, beside = [], []
    with node.mps():
        for n in node.pes():
            for layout, wgs, tokens, tests_ in moe_runs(few, many, most_wgs):
                found = node.rows(moe_command(node, n, layout, wgs, tokens,
                                              tests_))
                rows += [dict(r, pes=n, layout=layout, wgs=wgs)
                         for r in found]
            for wgs in [0] * (not node.few) + [2 if node.args.cpu else 32]:
                beside += overlap(node, n, wgs, many)
    if node.run.dry:
        return
    node.out(f"Hidden {HIDDEN}, {EXPERTS} experts, top-{TOP_K}, FP8 dispatch, "
             "BF16 combine. Work-groups of 512 items; -: as the library "
             "chooses.\n\n" + tables.moe_table(rows, node.limit))
    node.out("### Beside products of matrices\n\n" +
             tables.table(tables.OVERLAP_HEADS, beside))
    node.targets += tables.moe_targets(rows, node.pes(), node.gpus,
                                       node.limit, few, many)


PARTS = {"tests": tests, "alltoall": alltoall, "vdev": vdev, "moe": moe}
