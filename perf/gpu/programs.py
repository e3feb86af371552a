# SPDX-License-Identifier: BSD-3-Clause
"""What perf/gpu/compare and perf/gpu/node share: bench.c built with each
library, MPS, and how programs are run."""

import concurrent.futures
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

SRC = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(os.path.dirname(SRC))
sys.path.insert(1, os.path.dirname(SRC))

from libraries import parse_document, run_text  # noqa: E402, F401

LIBRARIES = ["nccl", "nvshmem", "sirocco", "bare"]

# Multicast over NVLink can put GPUs that others share out of service.
NO_MULTICAST = {"NCCL_NVLS_ENABLE": "0", "NVSHMEM_DISABLE_NVLS": "1",
                "TORCH_SYMM_MEM_DISABLE_MULTICAST": "1"}


class Failed(Exception):
    """A program that did not do what it should, and what it printed."""

    output = ""


class Runner:
    """Runs programs, each within a time limit, or only says what it would."""

    def __init__(self, limit_s, dry=False):
        self.limit_s, self.dry = limit_s, dry
        self.commands = []

    def __call__(self, cmd, extra=None, limit_s=None):
        """The standard output of a command that must succeed."""
        env = dict(NO_MULTICAST, **(extra or {}))
        text = " ".join([f"{k}={shlex.quote(v)}" for k, v in env.items()
                         if k not in NO_MULTICAST] + [shlex.join(cmd)])
        self.commands.append(text)
        if self.dry:
            return ""
        limit_s = limit_s or self.limit_s
        try:
            out, errors, status = run_text(cmd, dict(os.environ, **env),
                                           limit_s)
        except OSError as e:
            raise Failed(f"{cmd[0]}: {e.strerror}") from e
        if status == 0:
            return out
        how = f"no end within {limit_s} s" if status is None else \
            f"exit status {status}"
        last = (out + errors).strip().splitlines()[-8:]
        failed = Failed("\n".join([f"{how}: {text}"] + last))
        failed.output = out
        raise failed


def n_gpus():
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible:
        return len(visible.split(","))
    return len(gpu_names(Runner(60)))


def here(text, work):
    """Command lines, with our own directory's name made short."""
    return text.replace(work, "WORK")


def gpu_names(run):
    return run(["nvidia-smi", "--query-gpu=name",
                "--format=csv,noheader"]).splitlines()


def package_path(name):
    """The directory of a Python package of NVIDIA's, or None."""
    try:
        spec = importlib.util.find_spec("nvidia." + name)
    except ModuleNotFoundError:
        return None
    return list(spec.submodule_search_locations)[0] if spec else None


def add_options(p):
    p.add_argument("--build", default=os.getcwd(),
                   help="build directory (configured --with-cuda)")
    p.add_argument("--nvcc", default=shutil.which("nvcc") or
                   "/usr/local/cuda/bin/nvcc")
    p.add_argument("--arch", default="sm_90")
    p.add_argument("--nvshmem", help="directory of NVSHMEM; default: "
                   "that of Python's nvidia.nvshmem, or none")
    p.add_argument("--nccl", help="directory of NCCL; default: that of "
                   "Python's nvidia.nccl, or none")


class Programs:
    """bench.c with each library, built into a directory of our own."""

    def __init__(self, args, gpus, work, run):
        self.args, self.gpus, self.work, self.run = args, gpus, work, run
        self.nvshmem = args.nvshmem or package_path("nvshmem")
        self.nccl = args.nccl or package_path("nccl")
        self.launcher = os.path.join(args.build, "src/launch/oshrun")
        self.built = {}

    def nvcc(self, name, options):
        out = os.path.join(self.work, "bench_" + name)
        self.run([self.args.nvcc, "-x", "cu", "-std=c++17", "-O3",
                  "-arch=" + self.args.arch, "-o", out,
                  os.path.join(SRC, "bench.c")] + options)
        self.built[name] = out

    def build(self, names):
        """All at once. {name: None, or why it wasn't built}, where Failed is
        of the compiler, and a string says that there is no such library."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return dict(zip(names, pool.map(self.build_one, names)))

    def build_one(self, name):
        if name in self.built:
            return None
        try:
            if getattr(self, "build_" + name)():
                return None
            return f"no {name} here: its columns are left out"
        except Failed as e:
            return e

    def build_sirocco(self):
        lib = os.path.join(self.args.build, ".libs")
        self.nvcc("sirocco", [
            "-I" + os.path.join(TOP, "include"), "-L" + lib, "-lsirocco",
            "-Xlinker", "-rpath=" + lib])
        return True

    def build_bare(self):
        self.nvcc("bare", ["-DBENCH_BARE"])
        return True

    def link(self, directory, name):
        """NAME in our directory, which a package may call NAME.2."""
        found = [f for f in (name, name + ".2", name + ".3")
                 if os.path.exists(os.path.join(directory, f))]
        if not found:
            raise Failed(f"no {name} in {directory}")
        here = os.path.join(self.work, name)
        if not os.path.lexists(here):
            os.symlink(os.path.join(directory, found[0]), here)

    def build_nvshmem(self):
        if not self.nvshmem:
            return False
        for name in ("libnvshmem_host.so", "libnvshmem_device.a"):
            self.link(os.path.join(self.nvshmem, "lib"), name)
        self.nvcc("nvshmem", ["-DBENCH_NVSHMEM", "-rdc=true"] +
                  self.nvshmem_options())
        return True

    def nvshmem_options(self):
        return ["-I" + os.path.join(self.nvshmem, "include"),
                "-L" + self.work, "-lnvshmem_host", "-lnvshmem_device",
                "-lcuda"]

    def build_nccl(self):
        if not self.nccl:
            return False
        self.link(os.path.join(self.nccl, "lib"), "libnccl.so")
        self.nvcc("nccl", ["-DBENCH_NCCL", "-I" + os.path.join(
            self.nccl, "include"), "-L" + self.work, "-lnccl"])
        return True

    def commands(self, name, n_pes, options, most_mib=0):
        """What measures a library: command lines, each with its settings."""
        if name not in self.built:
            return []
        cmd = [self.built[name], str(n_pes)] + options
        heap_mib = max(512, 2 * most_mib * n_pes + 256)
        if name == "sirocco":
            return [([self.launcher, "-n", str(n_pes), self.built[name]] +
                     options, {"SHMEM_SYMMETRIC_SIZE": f"{heap_mib}m"})]
        if name == "nccl":
            return self.commands_nccl(cmd, n_pes)
        if name == "nvshmem":
            return self.commands_nvshmem(cmd, n_pes, heap_mib)
        return [(cmd, {})]

    def commands_nccl(self, cmd, n_pes):
        """It refuses ranks that share a GPU; plain buffers, and its own by
        kernels and by copy engines."""
        if n_pes > self.gpus:
            return []
        env = before_others(os.path.join(self.nccl, "lib"))
        own = cmd + ["--register"]
        return [(cmd, env), (own, env),
                (own, dict(env, NCCL_CTA_POLICY="2"))]

    def commands_nvshmem(self, cmd, n_pes, heap_mib):
        env = dict(before_others(os.path.join(self.nvshmem, "lib")),
                   NVSHMEM_REMOTE_TRANSPORT="none",
                   NVSHMEM_SYMMETRIC_SIZE=f"{heap_mib}M")
        # On a stream it refuses PEs that have more than their share.
        return [(cmd + ["--no-stream"], env),
                (cmd + ["--only-stream"],
                 dict(env, **share(n_pes, self.gpus)))]


def before_others(lib):
    """The loader's setting for a library's directory."""
    others = os.environ.get("LD_LIBRARY_PATH")
    return {"LD_LIBRARY_PATH": f"{lib}:{others}" if others else lib}


def share(n_pes, gpus):
    """MPS's setting for PEs of which several share a GPU."""
    sharers = (n_pes + gpus - 1) // gpus
    if sharers < 2:
        return {}
    return {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE": str(100 // sharers)}


class Mps:
    """Lets kernels of several processes run at the same time, unless the
    user has started MPS; for a `with`."""

    def __init__(self, work, wanted=True):
        self.work, self.wanted, self.ours = work, wanted, False

    def __enter__(self):
        pipe = os.environ.get("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps")
        if not self.wanted or os.path.exists(os.path.join(pipe, "control")):
            return self
        for var in ("PIPE", "LOG"):
            os.environ[f"CUDA_MPS_{var}_DIRECTORY"] = tempfile.mkdtemp(
                prefix="mps", dir=self.work)
        self.ours = True
        try:
            subprocess.run(["nvidia-cuda-mps-control", "-d"], check=True,
                           timeout=30)
        except (OSError, subprocess.SubprocessError) as e:
            self.__exit__()
            raise Failed(f"MPS does not start: {e}") from e
        return self

    def __exit__(self, *_):
        if not self.ours:
            return
        try:
            subprocess.run(["nvidia-cuda-mps-control"], input="quit\n",
                           text=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            print("MPS did not end", file=sys.stderr)
        for var in ("PIPE", "LOG"):
            del os.environ[f"CUDA_MPS_{var}_DIRECTORY"]
        self.ours = False
