# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts for perf/compare-nodes: network namespaces, joined by a pair of
virtual Ethernet devices, with host names of their own."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from libraries import fail

NAMES = ["a", "b"]
ADDRESSES = ["10.79.0.1", "10.79.0.2"]
# Instead of ssh: mpirun gives an address and a command for its shell.
AGENT = """#!/bin/sh
case $1 in
{cases}
esac
shift
exec ip netns exec "$net" unshare --uts sh -c "hostname $host; exec $*"
"""


class Nodes:
    def __init__(self):
        self.spaces = [f"perf{os.getpid()}-{name}" for name in NAMES]
        self.dir = tempfile.mkdtemp(prefix="sirocco-perf-")
        atexit.register(self.close)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        for space in self.spaces:
            self.ip("netns", "add", space)
            self.ip("-n", space, "link", "set", "lo", "up")
        self.ip("link", "add", "net0", "netns", self.spaces[0], "type",
                "veth", "peer", "name", "net0", "netns", self.spaces[1])
        for space, address in zip(self.spaces, ADDRESSES):
            self.ip("-n", space, "addr", "add", address + "/24", "dev",
                    "net0")
            self.ip("-n", space, "link", "set", "net0", "up")
        self.wait_up()
        self.agent = self.write_agent()

    def ip(self, *args):
        done = subprocess.run(("ip",) + args, capture_output=True, text=True)
        if done.returncode:
            fail(f"ip {' '.join(args)}: {done.stderr.strip()}; network "
                 "namespaces need root, or --setups posix")
        return done.stdout

    def wait_up(self):
        for _ in range(100):
            if all("state UP" in self.ip("-n", space, "link", "show", "net0")
                   for space in self.spaces):
                return
            time.sleep(0.02)
        fail("the virtual network does not come up")

    def write_agent(self):
        path = os.path.join(self.dir, "agent")
        cases = "\n".join(
            f"{address}) net={space} host={name} ;;" for address, space, name
            in zip(ADDRESSES, self.spaces, NAMES))
        with open(path, "w", encoding="ascii") as f:
            f.write(AGENT.format(cases=cases))
        os.chmod(path, 0o755)
        return path

    def on(self, i, cmd):
        """The command that runs cmd on node i."""
        return ["ip", "netns", "exec", self.spaces[i], "unshare", "--uts",
                "sh", "-c", 'hostname "$0"; exec "$@"', NAMES[i]] + cmd

    def mpirun(self, cmd, npes):
        """mpirun's command line for npes PEs, half of them on each node."""
        half = npes // 2
        hosts = ",".join(f"{address}:{half}" for address in ADDRESSES)
        return self.on(0, cmd + [
            "--mca", "plm_rsh_agent", self.agent, "--host", hosts,
            "--map-by", f"ppr:{half}:node"])

    def address(self):
        return ADDRESSES[0]

    def close(self):
        for space in self.spaces:
            pids = subprocess.run(["ip", "netns", "pids", space],
                                  capture_output=True, text=True).stdout
            for pid in pids.split():
                os.kill(int(pid), signal.SIGKILL)
            subprocess.run(["ip", "netns", "del", space],
                           capture_output=True)
        shutil.rmtree(self.dir, ignore_errors=True)


class OneHost:
    """The same for processes that share a host."""

    def on(self, _, cmd):
        return cmd

    def mpirun(self, cmd, _):
        return cmd

    def address(self):
        return "127.0.0.1"
