# SPDX-License-Identifier: BSD-3-Clause
"""The tables and targets of perf/gpu/node, of figures that were measured."""

import collections

from figures import (MIB, best_of, better, link_bytes, link_gb_per_s,
                     sizes_of, targets_of, times, unit_of)

# reached: True, False, or None where it was not measured.
Target = collections.namedtuple("Target", "name found reached")

# An alltoall's scope: heading, measure, peers, and those it has to beat.
SCOPES = [
    ("on a stream", "alltoall on stream", ["nccl", "nvshmem"],
     ["nccl", "nvshmem"]),
    ("in kernels", "alltoall", ["nvshmem", "bare"], ["nvshmem"]),
]
LIMIT_SHARE = 0.9       # of the links' limit, from this size on:
LIMIT_FROM = 4 * MIB
MOE_SHARE = 0.8         # at the most tokens
MOE_US = {"dispatch": 40, "combine": 50}    # at the fewest
NAMES = {"nccl": "NCCL", "nvshmem": "NVSHMEM", "bare": "bare kernels"}


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def number(value, form="%.2f"):
    return form % value if value is not None else "-"


def figure(found):
    return "%.4g %s" % found if found else "-"


def part_of(value, limit):
    return value / limit if value is not None and limit else None


def alltoall_rows(results, n_pes, scope):
    """(bytes, {library: figure}) of a scope."""
    _, measure, _, _ = scope
    return [(size, {library: best_of(rows, measure, size)
                    for (library, n), rows in results.items() if n == n_pes})
            for size in sizes_of(results, n_pes, measure)]


def alltoall_table(results, n_pes, gpus, limit, scope):
    _, _, peers, _ = scope
    heads = ["bytes a pair"] + [NAMES[p] for p in peers] + [
        "ours", "over links", "of the limit"] + [
        "faster than " + NAMES[p] for p in peers]
    rows = []
    for size, found in alltoall_rows(results, n_pes, scope):
        ours = found.get("sirocco")
        speed = link_gb_per_s(n_pes, gpus, size, ours)
        rows.append([size] + [figure(found.get(p)) for p in peers] +
                    [figure(ours), number(speed, "%.1f GB/s"),
                     number(part_of(speed, limit))] +
                    [number(times(ours, found.get(p))) for p in peers])
    return table(heads, rows)


def faster_target(results, n_pes, scope, peer):
    """At each size."""
    where, _, _, _ = scope
    ratios = [(times(found.get("sirocco"), found.get(peer)), size)
              for size, found in alltoall_rows(results, n_pes, scope)]
    known = [r for r in ratios if r[0] is not None]
    name = f"alltoall {where}, {n_pes} PEs: faster than {NAMES[peer]} at " \
        "each size"
    if not known:
        return Target(name, "-", None)
    won = sum(r > 1 for r, _ in known)
    return Target(name, f"{won} of {len(known)} sizes, least "
                  f"{min(known)[0]:.2f} at {min(known)[1]} B",
                  won == len(known))


def limit_target(results, n_pes, gpus, limit, scope):
    """From LIMIT_FROM on."""
    shares = []
    for size, found in alltoall_rows(results, n_pes, scope):
        share = part_of(link_gb_per_s(n_pes, gpus, size,
                                      found.get("sirocco")), limit)
        if share is not None and size >= LIMIT_FROM:
            shares.append((share, size))
    name = f"alltoall {scope[0]}, {n_pes} PEs: at least {LIMIT_SHARE} of " \
        "the links' limit from 4 MiB"
    if not shares:
        return Target(name, "-", None)
    least, size = min(shares)
    return Target(name, f"{least:.3f} at {size} B", least >= LIMIT_SHARE)


def two_gpus_target(results, limit):
    """8 PEs, 4 MiB, by whatever scope: the limit's time, times 1.1."""
    shares = [part_of(link_gb_per_s(8, 2, LIMIT_FROM, found.get("sirocco")),
                      limit) for scope in SCOPES
              for size, found in alltoall_rows(results, 8, scope)
              if size == LIMIT_FROM]
    share = max((s for s in shares if s is not None), default=None)
    return Target("alltoall of 4 MiB, 8 PEs: within 1.1 of the link's limit",
                  number(1 / share if share else None, "%.3f"),
                  1 / share <= 1.1 if share else None)


def alltoall_targets(results, pes, gpus, limit):
    targets = [two_gpus_target(results, limit)] if gpus == 2 else []
    for n_pes in pes:
        for scope in SCOPES:
            for peer in scope[3]:
                # NCCL is not for PEs that share a GPU.
                if peer != "nccl" or n_pes <= gpus:
                    targets.append(faster_target(results, n_pes, scope, peer))
            if gpus > 1 and n_pes >= gpus:
                targets.append(limit_target(results, n_pes, gpus, limit,
                                            scope))
    return targets


def call_targets(results, pes, gpus):
    """Those of single calls, in the units of their measures."""
    targets = []
    for name, nbytes, n_pes, wanted in targets_of(gpus):
        if n_pes not in pes:
            continue
        if not isinstance(wanted, dict):
            wanted = {None: wanted}
        for wgs, most in wanted.items():
            rows = results.get(("sirocco", n_pes), {})
            found = best_of(rows, name, nbytes, wgs)
            text = f"{name}, {nbytes} B, {n_pes} PEs" + (
                f", {wgs} work-groups" if wgs else "")
            unit = unit_of(name)
            sign = "at most" if unit == "us" else "at least"
            targets.append(Target(
                f"{text}: {sign} {most} {unit}", figure(found),
                not better(unit, most, found[0]) if found else None))
    return targets


def calls_table(results):
    """All but alltoall, which has tables of its own."""
    keys = {(n, name, size, wgs) for (_, n), rows in results.items()
            for name, size, wgs in rows if not name.startswith("alltoall")}
    lines = []
    for n, name, size, wgs in sorted(keys):
        found = [results.get((library, n), {}).get((name, size, wgs))
                 for library in ("nvshmem", "bare", "sirocco")]
        lines.append([name, size, n, wgs or "-"] + [figure(f) for f in found] +
                     [number(times(found[2], f)) for f in found[:2]])
    return table(["measure", "bytes", "PEs", "work-groups", "NVSHMEM",
                  "bare kernels", "ours", "better than NVSHMEM",
                  "than bare kernels"], lines)


def vdev_table(rows, gpus, limit):
    """rows: (ranks, tokens, pair bytes, {who: us})."""
    heads = ["PEs", "tokens", "PyTorch", "ours on a stream",
             "ours by a grid", "over links", "of the limit",
             "stream faster than PyTorch"]
    lines = []
    for n_pes, tokens, pair, us in rows:
        found = {who: (value, "us") for who, value in us.items()}
        stream, torch = found.get("stream"), found.get("torch")
        speed = link_gb_per_s(n_pes, gpus, pair, stream)
        lines.append([n_pes, tokens, figure(torch), figure(stream),
                      figure(found.get("grid")), number(speed, "%.1f GB/s"),
                      number(part_of(speed, limit)),
                      number(times(stream, torch))])
    return table(heads, lines)


def moe_table(rows, limit):
    """rows: of perf/moe's JSON, with pes, layout and wgs."""
    heads = ["PEs", "tokens", "exchange", "layout", "most work-groups",
             "median", "least", "over links", "of the limit"]
    return table(heads, [
        [r["pes"], r["bytes"], r["test"], r["layout"], r["wgs"] or "-",
         "%.1f us" % (r["median_ns"] * 1e-3), "%.1f us" % (r["min_ns"] * 1e-3),
         number(r.get("link_gb_per_s"), "%.1f GB/s"),
         number(part_of(r.get("link_gb_per_s"), limit))] for r in rows])


def moe_targets(rows, pes, gpus, limit, few, many):
    """Of the library's own choice of work-groups, the better layout."""
    targets = []
    for n_pes in [n for n in pes if n >= gpus]:
        for test, most_us in MOE_US.items():
            mine = [r for r in rows if r["pes"] == n_pes and
                    r["test"] == test and not r["wgs"]]
            shares = [part_of(r.get("link_gb_per_s"), limit) for r in mine
                      if r["bytes"] == many]
            us = [r["median_ns"] * 1e-3 for r in mine if r["bytes"] == few]
            share = max((s for s in shares if s is not None), default=None)
            if gpus > 1:
                targets.append(Target(
                    f"MoE {test}, {many} tokens, {n_pes} PEs: at least "
                    f"{MOE_SHARE} of the links' limit", number(share, "%.3f"),
                    share >= MOE_SHARE if share is not None else None))
            targets.append(Target(
                f"MoE {test}, {few} tokens, {n_pes} PEs: under {most_us} us",
                number(min(us, default=None), "%.1f us"),
                min(us) < most_us if us else None))
    return targets


def overlap_row(n_pes, tokens, wgs, n_gemms, ns):
    """Of the shorter of the two, what share costs no time: hidden."""
    alone, both, beside = (ns[t] for t in ("gemm", "both", "gemm_beside"))
    hidden = (alone + both - beside) / min(alone, both)
    return [n_pes, tokens, wgs or "-", n_gemms] + [
        "%.1f us" % (v * 1e-3) for v in (alone, both, beside)] + [
        "%.0f %%" % (100 * hidden)]


OVERLAP_HEADS = ["PEs", "tokens", "most work-groups", "products",
                 "products alone", "dispatch + combine", "beside each other",
                 "hidden"]


def targets_table(targets):
    word = {True: "yes", False: "no", None: "not measured"}
    return table(["target", "found", "reached"],
                 [[t.name, t.found, word[t.reached]] for t in targets])


def counted(gpus, pes):
    """How bytes over links are counted, in words."""
    return "; ".join(f"{n} PEs: {link_bytes(n, gpus, 1)} blocks"
                     for n in pes)
