# SPDX-License-Identifier: BSD-3-Clause
"""How perf/compare and perf/compare-nodes run one program with two libraries,
and what perf/sweep shares with them."""

import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys

from measures import MIB

SRC = os.path.dirname(os.path.realpath(__file__))
INSTALL = "install Open MPI 4.1 (Debian: openmpi-bin and libopenmpi-dev)"
HARNESS = ["bench.c", "bench_args.c", "bench_report.c"]
PROGRAMS = ["latency", "bandwidth", "message_rate", "pingpong", "collectives"]


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def progress(message):
    if sys.stderr.isatty():
        print("\r" + message + "\033[K", end="", file=sys.stderr, flush=True)


def run_text(cmd, env, timeout_s):
    """Standard output, standard error and status; status None: timed out."""
    p = subprocess.Popen(cmd, env=env, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, start_new_session=True)
    try:
        out, errors = p.communicate(timeout=timeout_s)
        return out, errors, p.returncode
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGTERM)
    except BaseException:   # we are to end: it has a session of its own
        os.killpg(p.pid, signal.SIGTERM)
        raise
    try:
        out, errors = p.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        out, errors = p.communicate()
    return out, errors, None


def parse_document(text):
    """The JSON document in a launcher's output; None when incomplete."""
    try:
        return json.loads(text[text.index("{"):text.rindex("}") + 1])
    except ValueError:
        return None


def plot_module():
    try:
        import matplotlib
    except ImportError:
        fail("--plot needs matplotlib (Debian: python3-matplotlib)")
    matplotlib.use("Agg")
    import matplotlib.pyplot
    return matplotlib.pyplot


class Library:
    """How the programs are started with one of the two libraries."""

    def __init__(self, label, launcher, programs, env, timeout_s):
        self.label = label
        self.launcher = launcher
        self.programs = programs
        self.env = env
        self.timeout_s = timeout_s
        self.name = None
        self.warned = set()

    def warn(self, key, message):
        if key not in self.warned:
            self.warned.add(key)
            print(f"{self.label}: {message}", file=sys.stderr)

    def program(self, name):
        return os.path.join(self.programs, name)

    def document(self, cmd):
        out, errors, status = run_text(cmd, self.env, self.timeout_s)
        doc = parse_document(out)
        if doc is None:
            how = f"status {status}" if status is not None else \
                f"no end after {self.timeout_s} s"
            self.warn(cmd[-1], f"{' '.join(cmd)}: {how}, no result: "
                      f"{errors.strip()[-400:]}")
            return None
        if doc.get("wrong_bytes"):
            fail(f"{self.label}: {' '.join(cmd)}: "
                 f"{doc['wrong_bytes']} wrong bytes")
        if status != 0:
            self.warn("status", f"status {status} after complete results "
                      "(kept)")
        self.name = self.name or doc.get("library")
        return doc

    def bench(self, program, npes, args):
        return self.document(self.launcher(npes) + [self.program(program)] +
                             args)


def find_peer(args):
    """The peer's compiler wrapper, launcher and version, checked."""
    cc = args.peer_cc or shutil.which("oshcc.openmpi") or "/usr/bin/oshcc"
    launcher = args.peer_run or shutil.which("oshrun.openmpi") or \
        "/usr/bin/oshrun"
    for path, option in ((cc, "--peer-cc"), (launcher, "--peer-run")):
        if not shutil.which(path):
            fail(f"no {path}: {INSTALL}, or give {option}")
    out = subprocess.run([cc, "--showme:version"], capture_output=True,
                         text=True)
    version = re.search(r"Open (?:MPI|SHMEM) (\S+)", out.stdout)
    if not version:
        fail(f"{cc} is not Open MPI's oshcc: {INSTALL}, or give --peer-cc")
    out = subprocess.run([launcher, "--version"], capture_output=True,
                         text=True, env=peer_env())
    if not re.search("Open MPI|OpenRTE", out.stdout):
        fail(f"{launcher} is not Open MPI's oshrun: {INSTALL}, or give "
             "--peer-run")
    return cc, launcher, version.group(1)


def peer_env():
    root = {name: "1" for name in ("OMPI_ALLOW_RUN_AS_ROOT",
                                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")}
    return {**os.environ, **(root if os.geteuid() == 0 else {})}


def compile_one(cc, out_dir, name, sources, libs):
    target = os.path.join(out_dir, name)
    paths = [os.path.join(SRC, s) for s in sources]
    headers = [os.path.join(SRC, f) for f in os.listdir(SRC)
               if f.endswith(".h")]
    newest = max(os.path.getmtime(f) for f in paths + headers)
    if os.path.exists(target) and os.path.getmtime(target) > newest:
        return
    progress(f"{cc}: {name}")
    cmd = [cc, "-std=gnu11", "-O2", "-D_GNU_SOURCE", "-o", target] + paths
    done = subprocess.run(cmd + ["-ljansson"] + libs, capture_output=True,
                          text=True)
    progress("")
    if done.returncode:
        fail(f"{cc} cannot compile {name}; Open MPI's headers and jansson "
             "are needed (Debian: libopenmpi-dev, libjansson-dev):\n"
             f"{done.stderr}")


def compile_shmem(cc, out_dir):
    """The programs with OpenSHMEM, by the peer's compiler wrapper."""
    os.makedirs(out_dir, exist_ok=True)
    for name in PROGRAMS:
        compile_one(cc, out_dir, name,
                    [name + ".c"] + HARNESS + ["comm_shmem.c"], [])
    compile_one(cc, out_dir, "memory", ["memory.c", "comm_shmem.c"], [])


def compile_solo(out_dir, name):
    compile_one(os.environ.get("CC", "cc"), out_dir, name,
                [name + ".c"] + HARNESS + ["comm_solo.c"], ["-lpthread"])


def rows_of(doc):
    return {(r["test"], r["bytes"]): r for r in doc["rows"]} if doc else {}


def median(values):
    known = [v for v in values if v is not None]
    return statistics.median(known) if known else None


def human(value, unit):
    if value is None:
        return "-"
    if unit == "B":
        return f"{value / MIB:.2f} MiB"
    for scale, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if value >= scale:
            return f"{value / scale:.2f} {name}"
    return f"{value:.1f} ns"


def cpu_model():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
        found = re.search(r"model name\s*:\s*(.*)", f.read())
    return found.group(1) if found else "unknown processor"


def positive(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def bind(args):
    """All that is started from here inherits the two processors."""
    allowed = sorted(os.sched_getaffinity(0))
    cpus = allowed[:2]
    if args.cpus:
        try:
            cpus = [int(c) for c in args.cpus.split(",")]
        except ValueError:
            fail(f"--cpus: expected two numbers such as 0,1, got "
                 f"'{args.cpus}'")
    if len(cpus) != 2 or not set(cpus) <= set(allowed):
        fail(f"two processors are needed; there are {allowed}")
    os.sched_setaffinity(0, cpus)
    return cpus


def add_options(p, rounds, reps, timeout_s):
    p.add_argument("--build", default=".", metavar="DIR",
                   help="where make was run (default: here)")
    p.add_argument("--run", metavar="PATH",
                   help="our oshrun (default: DIR/src/launch/oshrun)")
    p.add_argument("--peer-cc", metavar="PATH", help="Open MPI's oshcc")
    p.add_argument("--peer-run", metavar="PATH", help="Open MPI's oshrun")
    p.add_argument("--peer-preload", metavar="LIBRARY",
                   default="libmca_common_ucx.so.40",
                   help="kept loaded in the peer's processes, which else "
                   "crash in finalize (default: %(default)s; '' for none)")
    p.add_argument("--peer-only", action="store_true",
                   help="measure the peer and the limits only")
    p.add_argument("--cpus", metavar="A,B", help="the two processors")
    p.add_argument("--rounds", type=positive, default=rounds,
                   metavar="N", help="(default: %(default)s)")
    p.add_argument("--reps", type=positive, default=reps, metavar="N",
                   help="repetitions in a round (default: %(default)s)")
    p.add_argument("--timeout", type=positive, default=timeout_s, metavar="S",
                   help="for one run of a program (default: %(default)s)")
    p.add_argument("--min", dest="stat", action="store_const",
                   const="min_ns", default="median_ns",
                   help="take each run's fastest repetition, not its median "
                   "(when others use the machine)")
    p.add_argument("--measures", metavar="REGEX",
                   help="only those whose name matches")
