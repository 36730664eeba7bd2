# SPDX-License-Identifier: BSD-3-Clause
"""The part of demo.py that shows the counters while they count: `demo.py --live`.

The EP application with a sender of a known rate, `ctrgen export` on loopback, until Enter.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAME = "demo"
"""What the application is called: DPDK's file prefix, and the file of its segment."""
PORT = 9464
"""Port of the exporter, if it is free."""
EVERY = 0.5
"""Seconds after which live.json is written again."""

COMMON = ("app.h", "app.c")
STORY = """
=== Counters while they count, until Enter

  the page      {url}
  sent          {rate:,} packets a second
  read from     {segment}, a shared segment
  a terminal    ctrgen top {segment}
  for Prometheus  http://{metrics}/metrics, served by the application itself, in prometheus.yml:

    scrape_configs:
      - job_name: ctrgen
        scrape_interval: 5s
        static_configs: [{{targets: ["{metrics}"]}}]

  and then rate(ep_total_pkts_total[1m]) is {rate:,}
"""


class Child:
    """A process that SIGINT of the terminal does not reach: this one ends it."""

    def __init__(self, demo: Any, command: str, **streams: int) -> None:
        print(f"\n$ {command} &", flush=True)
        self.process = subprocess.Popen(
            command.split(), cwd=demo.work, env=demo.env, text=True, start_new_session=True,
            **streams,
        )  # fmt: skip


class Application(Child):
    """The application, which obeys lines and answers each."""

    def __init__(self, demo: Any, command: str) -> None:
        super().__init__(demo, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self._line() != "serving":
            raise SystemExit("demo: the application ended")

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ask(self, line: str) -> str:
        """The answer to a line; SystemExit if the application has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise SystemExit("demo: the application ended") from None
        answer = self._line()
        if not answer:
            raise SystemExit("demo: the application ended")
        return answer

    def sent(self, line: str = "sent") -> dict[str, float]:
        """Packets sent, and in how many seconds."""
        count, passed = map(int, self.ask(line).split())
        return {"sent": count, "seconds": passed / 1e9}

    def end(self) -> int:
        """Let it end; 0 if it has counted all that was sent."""
        try:
            text, _ = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            text, _ = self.process.communicate()
        print(text.strip(), flush=True)
        return self.process.returncode


class Exporter(Child):
    """`ctrgen export`."""

    def __init__(self, demo: Any, segment: str, port: int) -> None:
        command = f"ctrgen export --listen 127.0.0.1:{port} {segment}"
        super().__init__(demo, command, stderr=subprocess.PIPE)
        assert self.process.stderr is not None
        self.url = self.process.stderr.readline().strip()
        if not self.url.startswith("http"):
            raise SystemExit(f"demo: the exporter ended: {self.url}")

    def end(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.communicate(timeout=30)


def build(demo: Any, dpdk: bool) -> str:
    """Generate, compile; the command of the application except for its last options."""
    port = "dpdk" if dpdk else "posix"
    names = ("live.c", "live.h", f"live_{port}.c", *(["ep_proto.h"] if dpdk else []))
    demo.copy("ep.yaml", *(f"apps/ep/{name}" for name in names))
    demo.copy(*(f"apps/common/{name}" for name in (*COMMON, f"app_{port}.c")))
    parts = "--with segment --with openmetrics"
    demo.run("ctrgen build ep.yaml -o out --only c")
    demo.run(
        f"{demo.compiler} -std=gnu11 -O2 -Wall -Wextra -Iout live.c live_{port}.c app.c"
        f" app_{port}.c out/ep_stats.c"
        f" $(ctrgen runtime --port {port} {parts} --cflags --sources --libs) -pthread -o ep-live"
    )
    if not dpdk:
        return "./ep-live"
    demo.copy("apps/ep/ep-loopback.pcap")
    cores = ",".join(str(core) for core in sorted(os.sched_getaffinity(0)))
    return (
        f"./ep-live --no-huge --no-pci --no-shconf --log-level=error -m 256 --file-prefix={NAME}"
        f" --lcores=0@({cores}) --vdev=net_pcap0,rx_pcap=ep-loopback.pcap --vdev=net_ring0"
    )


def free(port: int) -> int:
    """The port if it is free, else 0: any that is."""
    with socket.socket() as probe:
        try:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
    return port


def write(path: Path, facts: dict[str, Any]) -> None:
    """Write JSON that is never read in part."""
    made = path.with_suffix(".new")
    made.write_text(json.dumps(facts) + "\n", "utf-8")
    made.replace(path)


def wait(application: Application, facts: dict[str, Any], path: Path, seconds: float) -> None:
    """Until Enter, the end of standard input, SIGINT, or for so many seconds if not 0."""
    end = time.monotonic() + seconds
    while not seconds or time.monotonic() < end:
        write(path, {**facts, **application.sent()})
        if seconds:
            time.sleep(EVERY)
        elif select.select([sys.stdin], [], [], EVERY)[0]:
            sys.stdin.readline()
            return


def serve(demo: Any, application: Application, facts: dict[str, Any], options: Any) -> None:
    """Start the exporter, say where everything is, wait."""
    port = free(PORT) if options.port is None else options.port
    exporter = Exporter(demo, facts["segment"], port)
    try:
        facts["url"] = exporter.url
        print(STORY.format(**facts), flush=True)
        wait(application, facts, demo.work / "live.json", options.seconds)
    except KeyboardInterrupt:
        print()
    finally:
        exporter.end()


def run(demo: Any, dpdk: bool, options: Any) -> None:
    """Build, start, wait, end; SystemExit unless all that was sent was counted."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    segment = f"{demo.work}/{NAME}.seg"
    facts = {"rate": options.rate, "segment": segment}
    command = build(demo, dpdk)
    words = f"--segment {segment} --rate {options.rate} --listen 127.0.0.1:0"
    application = Application(demo, f"{command} -- {words}")
    facts["metrics"] = f"127.0.0.1:{application.ask('port')}"
    status = 1
    try:
        serve(demo, application, facts, options)
        sent = application.sent("stop")
        write(demo.work / "live.json", {**facts, **sent})
        each = sent["sent"] / sent["seconds"]
        print(f"Sent {sent['sent']:,} packets in {sent['seconds']:.1f} s: {each:,.0f} a second.")
    finally:
        status = application.end()
    if status:
        raise SystemExit("demo: not all that was sent was counted")
