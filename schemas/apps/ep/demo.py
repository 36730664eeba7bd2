#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts real packets with generated statistics, and changes strategy by editing one line.

    schemas/apps/ep/demo.py [--strategies NAME,NAME,..] [--cc COMPILER] [--work DIR] [--posix]
                            [--snmp | --live [--rate N] [--port N] [--seconds N]]

Generates C from ep.yaml, compiles main.c with it, and runs that on DPDK over a
capture. Then it edits the `sync:` line of the schema and does it all again,
with main.c as it was. Every value must be the same each time, and equal to an
independent count of the capture. The exit code is 0 if so.

Where there is no DPDK, the router example on plain threads takes its place.
With --snmp an SNMP manager reads the values instead (demo_snmp.py), with --live
a browser and Prometheus, while they count (demo_live.py).
"""

from __future__ import annotations

import abc
import argparse
import contextlib
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).resolve().parents[2]


class Demo:
    """A work folder, and commands that run in it as a user would type them."""

    def __init__(self, work: Path, compiler: str) -> None:
        self.work = work
        self.compiler = compiler
        here = str(Path(sys.executable).parent)
        self.env = {**os.environ, "PATH": here + os.pathsep + os.environ.get("PATH", "")}
        self.env["RUNTIME_DIRECTORY"] = str(work)  # where DPDK puts its own files
        if not shutil.which("ctrgen", path=self.env["PATH"]):
            raise SystemExit("demo: there is no command `ctrgen`; `pip install .` installs it")

    def copy(self, *paths: str) -> None:
        """Copy files of the examples into the work folder."""
        for path in paths:
            shutil.copy(SCHEMAS / path, self.work)

    def run(self, command: str) -> str:
        """Show a command, run it, show and return what it prints; SystemExit if it fails."""
        print(f"\n$ {command}", flush=True)
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.work,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        if done.stdout.strip():
            print(textwrap.indent(done.stdout.strip("\n"), "  | ", lambda _: True), flush=True)
        if done.returncode:
            raise SystemExit(f"demo: the command failed with exit code {done.returncode}")
        return done.stdout

    def choose(self, schema: str, strategy: str) -> None:
        """Edit the `sync:` line of a schema and show the difference."""
        path = self.work / schema
        before = path.read_text("utf-8")
        after = re.sub(r"(?m)^sync: .*$", f"sync: {strategy}", before)
        path.write_text(after, "utf-8")
        for line in difflib.ndiff(before.splitlines(), after.splitlines()):
            if line[0] in "+-":
                print(f"    {line}")
        if before == after:
            print(f"    sync: {strategy}   (as it is)")

    def build(self, module: str, port: str, sources: str) -> None:
        """Generate the C of a schema and compile the application with it."""
        self.run(f"ctrgen build {module}.yaml -o out")
        self.run(
            f"{self.compiler} -std=gnu11 -O2 -Wall -Wextra -Iout {sources} out/{module}_stats.c"
            f" $(ctrgen runtime --port {port} --cflags --archive --libs) -pthread -o {module}-app"
        )


class Example(abc.ABC):
    """Builds and runs an application under one strategy after another."""

    schema = ""
    story = ""
    compared = ""
    files: tuple[str, ...] = ()

    def expected(self, demo: Demo) -> Any:
        """What every run must give; None when that is what the first one gave."""
        return None

    @abc.abstractmethod
    def once(self, demo: Demo) -> Any:
        """Build and run under the strategy that the schema has now."""

    @abc.abstractmethod
    def summary(self, counted: Any) -> str:
        """One line on what was counted."""

    def all(self, demo: Demo, strategies: list[str]) -> None:
        """Everything; SystemExit unless all values are the same."""
        print(textwrap.fill(self.story, 88))
        demo.copy(*self.files)
        application = (demo.work / "main.c").read_bytes()
        expected = self.expected(demo)
        table = [] if expected is None else [("independent count", self.summary(expected))]
        for number, strategy in enumerate(strategies, 1):
            print(f"\n=== Strategy {number} of {len(strategies)}: {strategy}")
            print(f"\nThe line `sync:` of {self.schema}:\n")
            demo.choose(self.schema, strategy)
            counted = self.once(demo)
            expected = counted if expected is None else expected
            table.append((strategy, self.summary(counted)))
            if counted != expected:
                raise SystemExit(f"demo: under {strategy} the values are not as expected")
        if (demo.work / "main.c").read_bytes() != application:
            raise SystemExit("demo: main.c was changed")
        print(f"\n=== The same main.c, the same values: {self.compared}\n")
        for name, summary in table:
            print(f"  {name:<18} {summary}")


class EpOnDpdk(Example):
    """The Example Protocol on DPDK, compared with count.py."""

    schema = "ep.yaml"
    story = (
        "A DPDK application receives the packets of a capture on two worker lcores, sorts them "
        "into sessions, and counts them with C that ctrgen generates from ep.yaml. Then it "
        "reads and resets all counters under endless traffic, and checks that nothing is lost."
    )
    compared = "totals, and packets and bytes of every session"
    files = (
        "ep.yaml",
        *(f"apps/ep/{name}" for name in ("main.c", "ep_proto.h", "count.py", "ep-loopback.pcap")),
    )

    def expected(self, demo: Demo) -> Any:
        """What an independent count of the capture gives."""
        print("\n=== An independent count of the capture, to compare with")
        demo.run("python3 count.py ep-loopback.pcap > expected.json")
        return json.loads((demo.work / "expected.json").read_text("utf-8"))

    def once(self, demo: Demo) -> Any:
        """All values that the application counted."""
        demo.build("ep", "dpdk", "main.c")
        cores = ",".join(str(core) for core in sorted(os.sched_getaffinity(0)))
        queues = "rx_pcap=ep-loopback.pcap,rx_pcap=ep-loopback.pcap"
        demo.run(
            "./ep-app --no-huge --no-pci --no-shconf --no-telemetry --log-level=error -m 256"
            f" --lcores='(0-2)@({cores})' --vdev=net_pcap0,{queues}"
            f" --vdev=net_pcap1,{queues},infinite_rx=1 -- --share --json counted.json"
        )
        return json.loads((demo.work / "counted.json").read_text("utf-8"))

    def summary(self, counted: Any) -> str:
        """Totals."""
        return (
            f"{counted['total_pkts']} packets, {counted['total_bytes']} bytes, "
            f"{counted['sessions']} sessions established, {len(counted['session'])} seen"
        )


class RouterOnPosix(Example):
    """The router example on plain threads; its table is the same each time."""

    schema = "router.yaml"
    story = (
        "An application routes made-up packets in four threads, and counts them with C that "
        "ctrgen generates from router.yaml."
    )
    compared = "all that is printed"
    files = (
        "router.yaml",
        "apps/router/main.c",
        *(f"apps/common/{name}" for name in ("app.h", "app.c", "app_posix.c")),
    )

    def once(self, demo: Demo) -> Any:
        """What the application prints."""
        demo.build("router", "posix", "main.c app.c app_posix.c")
        return demo.run("./router-app")

    def summary(self, counted: Any) -> str:
        """The line on the router as a whole."""
        return str(next(line.strip() for line in counted.splitlines() if "forwarded" in line))


def has_dpdk() -> bool:
    """Whether an application can be compiled with DPDK."""
    command = ["pkg-config", "--exists", "libdpdk >= 22.11"]
    return bool(shutil.which("pkg-config")) and subprocess.run(command).returncode == 0


def show_snmp(args: argparse.Namespace) -> None:
    """The values as an SNMP manager sees them."""
    import demo_snmp

    lacking = demo_snmp.missing() + ([] if has_dpdk() else ["libdpdk-dev"])
    if lacking:
        raise SystemExit(f"demo: --snmp needs {', '.join(lacking)} (./dev setup installs them)")
    with working(args) as demo:
        demo_snmp.run(demo)


def show_live(args: argparse.Namespace) -> None:
    """The values while they count, in a browser."""
    import demo_live

    with working(args) as demo:
        demo_live.run(demo, use_dpdk(args), args)


def use_dpdk(args: argparse.Namespace) -> bool:
    """Whether to run on DPDK; prints a line if that is not possible."""
    if args.posix or has_dpdk():
        return not args.posix
    print("DPDK (libdpdk-dev 22.11 or later) is not installed: doing without it.\n")
    return False


@contextlib.contextmanager
def working(args: argparse.Namespace) -> Iterator[Demo]:
    """A demo in the folder that was asked for, or in one that is removed."""
    with tempfile.TemporaryDirectory(prefix="ctrgen-demo-") as temporary:
        work = args.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        yield Demo(work.resolve(), args.cc)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--strategies", default="per_core,shared_lock", metavar="NAME,NAME,..")
    add("--cc", default=os.environ.get("CC", "cc"), metavar="COMPILER")
    add("--work", type=Path, metavar="DIR", help="work there and leave the files")
    add("--posix", action="store_true", help="use no DPDK even if there is one")
    add("--snmp", action="store_true", help="show the values to an SNMP manager")
    add("--live", action="store_true", help="show the values in a browser while they count")
    live = "with --live: "
    add("--rate", type=int, default=20000, metavar="N", help=live + "packets to send a second")
    add("--port", type=int, metavar="N", help=live + "port of the page, 0 for any that is free")
    add("--seconds", type=float, default=0, metavar="N", help=live + "end by itself, without Enter")
    return parser.parse_args()


def main() -> None:
    """Choose the example, make a work folder, run it."""
    args = arguments()
    if args.snmp:
        show_snmp(args)
    elif args.live:
        show_live(args)
    else:
        example: Example = EpOnDpdk() if use_dpdk(args) else RouterOnPosix()
        with working(args) as demo:
            example.all(demo, args.strategies.split(","))
        print("\nTo see counters in a browser while they count: ./dev demo --live")


if __name__ == "__main__":
    main()
