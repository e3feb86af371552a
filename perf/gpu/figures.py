# SPDX-License-Identifier: BSD-3-Clause
"""What lines of perf/gpu/bench mean: figures, ratios, bytes over links."""

MIB = 1 << 20

# measure, bytes, PEs, what to reach (in the unit of the measure)
TARGETS = [
    ("p + wait, half round trip", 8, 2, 0.45),
    ("put_signal, half round trip", 8, 2, 0.55),
    ("put_signal by an item, beside, half round trip", 8, 2, 0.55),
    ("put", 32 << 20, 2, {1: 48, 128: 1850}),
    ("barrier_all", 0, 2, 0.8),
    ("barrier_all", 0, 8, 1.0),
    ("alltoall by a work-group", 16, 2, 0.7),
    ("alltoall by a work-group", 16, 8, 0.9),
    ("alltoall by a work-group", 1024, 8, 1.5),
    ("alltoall", 1 << 20, 8, 60),
    ("fetch_add by 1024", 8, 2, 5.5),
]

# The same for two GPUs and the link between them.
LINK_TARGETS = [
    ("put_signal, half round trip", 8, 2, 0.8),
    ("put_signal by an item, beside, half round trip", 8, 2, 0.8),
    ("put", 32 << 20, 2, {128: 365}),
    ("alltoall by a work-group", 16, 2, 1.2),
    ("alltoall by a work-group", 16, 8, 1.5),
    ("alltoall on stream", 4 << 20, 2, 24),
]


def unit_of(measure):
    return {"put": "GB/s", "fetch_add by 1024": "Gop/s"}.get(measure, "us")


def targets_of(gpus):
    """Of single calls; between more GPUs only exchanges have some."""
    return {1: TARGETS, 2: LINK_TARGETS}.get(gpus, [])


def rows_of(text):
    """{(measure, bytes, work-groups): (figure, unit)}"""
    rows = {}
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 7:
            rows[cells[2], int(cells[3]), int(cells[4])] = (
                float(cells[5]), cells[6])
    return rows


def better(unit, a, b):
    return a < b if unit == "us" else a > b


def merge(old, new):
    """The best of several rounds, as they ran in turn."""
    for key, (figure, unit) in new.items():
        if key not in old or better(unit, figure, old[key][0]):
            old[key] = (figure, unit)


def best_of(rows, measure, nbytes, n_wgs=None):
    """Over the numbers of work-groups; "alltoall" is by either scope."""
    found = None
    for (name, size, wgs), (figure, unit) in rows.items():
        if size != nbytes or (n_wgs is not None and wgs != n_wgs):
            continue
        if name != measure and not name.startswith(measure + " by "):
            continue
        if not found or better(unit, figure, found[0]):
            found = (figure, unit)
    return found


def sizes_of(results, n_pes, measure):
    """Where some library has a figure for a measure."""
    return sorted({size for (_, n), rows in results.items() if n == n_pes
                   for name, size, _ in rows
                   if name == measure or name.startswith(measure + " by ")})


def times(ours, theirs):
    """How many times ours is as good as theirs; None: not known."""
    if not ours or not theirs:
        return None
    if ours[1] == "us":
        return theirs[0] / ours[0]
    return ours[0] / theirs[0]


def link_bytes(n_pes, gpus, pair_bytes):
    """What leaves the busiest GPU over links in an alltoall: blocks between
    PEs of different GPUs. PEs take the GPUs in turn."""
    most = 0
    for gpu in range(gpus):
        here = len(range(gpu, n_pes, gpus))
        most = max(most, here * (n_pes - here))
    return most * pair_bytes


def link_gb_per_s(n_pes, gpus, pair_bytes, found):
    """Of a GPU, by a figure in us; None: nothing crosses a link."""
    nbytes = link_bytes(n_pes, gpus, pair_bytes)
    return nbytes / found[0] * 1e-3 if found and nbytes else None


def link_limit(results, gpus):
    """(GB/s out of a GPU, how it was measured), or (None, why)."""
    if gpus < 2:
        return None, "one GPU: no links"
    best, how = 0, "not measured"
    for (library, n_pes), rows in results.items():
        for (name, size, wgs), found in rows.items():
            if gpus == 2 and name == "put" and wgs == 128:
                speed, text = found[0], f"put of {size} B by 128 work-groups"
            elif gpus > 2 and library == "bare" and \
                    name == "alltoall by the grid":
                speed = link_gb_per_s(n_pes, gpus, size, found) or 0
                text = f"{n_pes} PEs' alltoall by bare pushes of {size} B"
            else:
                continue
            if speed > best:
                best, how = speed, f"{library}: {text}"
    return best or None, how
