#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What perf/gpu/node makes of figures: tables, and which targets they reach.
For the part that needs no GPU; perf/smoke.sh runs it."""

import unittest

import figures
import parts
import tables
from programs import Failed, Mps, Runner, share

MIB = 1 << 20


def bench_lines(library, n_pes, us_of):
    """Lines of perf/gpu/bench; us_of: {(measure, bytes): us}."""
    return "\n".join(["a line that is none"] + [
        f"{library}\t{n_pes}\t{name}\t{size}\t1\t{us:.4g}\tus"
        for (name, size), us in us_of.items()])


def results_of(*runs):
    results = {}
    for library, n_pes, us_of in runs:
        figures.merge(results.setdefault((library, n_pes), {}),
                      figures.rows_of(bench_lines(library, n_pes, us_of)))
    return results


STREAM = "alltoall on stream"


class Links(unittest.TestCase):
    def test_bytes_that_leave_a_gpu(self):
        self.assertEqual(figures.link_bytes(8, 8, 10), 70)
        self.assertEqual(figures.link_bytes(16, 8, 10), 2 * 14 * 10)
        self.assertEqual(figures.link_bytes(8, 2, 4 * MIB), 16 * 4 * MIB)
        self.assertEqual(figures.link_bytes(2, 8, 10), 10)
        self.assertEqual(figures.link_bytes(4, 1, 10), 0)

    def test_limit_of_two_gpus_is_put(self):
        rows = {("put", 32 * MIB, 128): (371.7, "GB/s"),
                ("put", 32 * MIB, 1): (900.0, "GB/s"),
                ("alltoall by the grid", MIB, 16): (0.1, "us")}
        self.assertEqual(figures.link_limit({("bare", 2): rows}, 2)[0], 371.7)
        self.assertIsNone(figures.link_limit({("bare", 2): rows}, 1)[0])

    def test_limit_of_more_is_bare_pushes(self):
        us = 7 * 64 * MIB / 360e3
        results = results_of(
            ("bare", 8, {("alltoall by the grid", 64 * MIB): us}),
            ("sirocco", 8, {("alltoall by the grid", 64 * MIB): us / 2}))
        self.assertAlmostEqual(figures.link_limit(results, 8)[0], 360, 0)


class Figures(unittest.TestCase):
    def test_best_is_of_the_measure_alone(self):
        rows = {("alltoall by the grid", MIB, 8): (5.0, "us"),
                ("alltoall by the grid", MIB, 16): (4.0, "us"),
                (STREAM, MIB, 0): (1.0, "us"),
                ("put", MIB, 128): (300.0, "GB/s"),
                ("put_signal, half round trip", MIB, 128): (9.0, "us")}
        self.assertEqual(figures.best_of(rows, "alltoall", MIB)[0], 4.0)
        self.assertEqual(figures.best_of(rows, STREAM, MIB)[0], 1.0)
        self.assertEqual(figures.best_of(rows, "put", MIB)[1], "GB/s")

    def test_rounds_leave_the_best(self):
        results = results_of(("nccl", 8, {(STREAM, 16): 9}),
                             ("nccl", 8, {(STREAM, 16): 8}),
                             ("nccl", 8, {(STREAM, 16): 10}))
        self.assertEqual(results["nccl", 8][STREAM, 16, 1], (8.0, "us"))


class Targets(unittest.TestCase):
    def judged(self, ours, nccl, limit=400):
        """{name: target} of eight GPUs."""
        results = results_of(("sirocco", 8, ours), ("nccl", 8, nccl))
        return {t.name: t for t in tables.alltoall_targets(
            results, [8], 8, limit)}

    def find(self, targets, word):
        return [t for name, t in targets.items() if word in name][0]

    def test_faster_at_each_size(self):
        ours = {(STREAM, 16): 5, (STREAM, 64): 6}
        won = self.judged(ours, {(STREAM, 16): 10, (STREAM, 64): 7})
        self.assertIs(self.find(won, "than NCCL").reached, True)
        lost = self.judged(ours, {(STREAM, 16): 10, (STREAM, 64): 5.9})
        self.assertIs(self.find(lost, "than NCCL").reached, False)
        self.assertIn("1 of 2", self.find(lost, "than NCCL").found)
        self.assertIsNone(self.find(won, "than NVSHMEM").reached)

    def test_share_of_the_limit(self):
        def us(share):
            return 7 * 4 * MIB / (400e3 * share)
        fast = self.judged({(STREAM, 4 * MIB): us(0.92), (STREAM, 16): 5}, {})
        self.assertIs(self.find(fast, "limit").reached, True)
        slow = self.judged({(STREAM, 4 * MIB): us(0.88)}, {})
        self.assertIs(self.find(slow, "limit").reached, False)
        none = self.judged({(STREAM, 4 * MIB): 1}, {}, limit=None)
        self.assertIsNone(self.find(none, "limit").reached)

    def test_calls_by_their_units(self):
        rows = {("put", 32 * MIB, 128): (364.0, "GB/s"),
                ("put_signal, half round trip", 8, 1): (0.79, "us")}
        got = {t.name: t.reached for t in tables.call_targets(
            {("sirocco", 2): rows}, [2, 8], 2)}
        self.assertIn(False, [v for k, v in got.items() if "put," in k])
        self.assertIn(True, [v for k, v in got.items() if "signal" in k])
        self.assertIn(None, got.values())

    def test_moe(self):
        def row(test, tokens, us, link, wgs=0):
            return {"pes": 8, "test": test, "bytes": tokens, "wgs": wgs,
                    "layout": "compact", "median_ns": us * 1e3,
                    "min_ns": us * 1e3, "link_gb_per_s": link}
        rows = [row("dispatch", 4096, 700, 330),
                row("combine", 4096, 900, 300),
                row("combine", 4096, 800, 399, 64),
                row("dispatch", 128, 39, 50), row("combine", 128, 51, 50)]
        reached = [t.reached for t in tables.moe_targets(
            rows, [8], 8, 400, 128, 4096)]
        self.assertEqual(reached, [True, True, False, False])
        self.assertIn("| 8 | 4096 | combine | compact | 64 | 800.0 us |",
                      tables.moe_table(rows, 400))


class Tables(unittest.TestCase):
    def test_alltoall(self):
        results = results_of(("sirocco", 8, {(STREAM, 4 * MIB): 80}),
                             ("nccl", 8, {(STREAM, 4 * MIB): 120}))
        text = tables.alltoall_table(results, 8, 8, 400, tables.SCOPES[0])
        self.assertIn("| 4194304 | 120 us | - | 80 us | 367.0 GB/s | 0.92 | "
                      "1.50 | - |", text)

    def test_rows_to_experts(self):
        text = tables.vdev_table(
            [(8, 128, 1835008, {"torch": 70.0, "stream": 35.0})], 8, 400)
        self.assertIn("| 8 | 128 | 70 us | 35 us | - | 367.0 GB/s | 0.92 | "
                      "2.00 |", text)

    def test_hidden_is_of_the_shorter(self):
        row = tables.overlap_row(8, 4096, 0, 3, {
            "gemm": 100e3, "both": 80e3, "gemm_beside": 120e3})
        self.assertEqual(row[-1], "75 %")


class Args:
    quick, cpu, limit, build = True, False, 5, "."
    nvshmem = nccl = pes = None
    nvcc, arch = "false", "sm_90"


class Programs(unittest.TestCase):
    def node(self):
        self.said = []
        return parts.Node(Args, 2, ".", Runner(5), self.said.append)

    def test_failure_says_what(self):
        with self.assertRaises(Failed) as e:
            Runner(20)(["sh", "-c", "echo out; echo why >&2; exit 3"])
        self.assertIn("exit status 3", str(e.exception))
        self.assertIn("why", str(e.exception))
        self.assertEqual(e.exception.output, "out\n")

    def test_time_limit(self):
        with self.assertRaises(Failed) as e:
            Runner(1)(["sleep", "30"])
        self.assertIn("no end within 1 s", str(e.exception))

    def test_no_multicast(self):
        env = Runner(20)(["env"], {"X_TEST": "1"}).splitlines()
        for line in ("NCCL_NVLS_ENABLE=0", "NVSHMEM_DISABLE_NVLS=1",
                     "TORCH_SYMM_MEM_DISABLE_MULTICAST=1", "X_TEST=1"):
            self.assertIn(line, env)

    def test_shares_of_a_gpu(self):
        self.assertEqual(share(8, 8), {})
        self.assertEqual(list(share(16, 8).values()), ["50"])
        self.assertEqual(list(share(3, 2).values()), ["50"])

    def test_other_parts_go_on(self):
        node = self.node()
        parts.build(node, ["bare"])
        self.assertEqual(node.pes(), [2, 4])
        self.assertEqual(len(node.failures), 1)
        self.assertIn("exit status 1", self.said[0])

    def test_figures_before_a_failure_stay(self):
        node = self.node()
        node.programs.commands = lambda *_: [
            (["printf", "bare\\t2\\tput\\t8\\t1\\t3\\tGB/s\\n"], {}),
            (["sh", "-c", "printf 'bare\\t2\\tput\\t9\\t1\\t3\\tGB/s\\n';"
              "exit 1"], {})]
        parts.bench(node, ["bare"], [2], [])
        self.assertEqual(len(node.results["bare", 2]), 2)
        self.assertEqual(len(node.failures), 1)

    def test_mps_not_wanted(self):
        with Mps(".", wanted=False) as mps:
            self.assertFalse(mps.ours)


if __name__ == "__main__":
    unittest.main()
