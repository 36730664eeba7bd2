# SPDX-License-Identifier: BSD-3-Clause
"""Open vSwitch with DPDK: built as it is and ported, and how it is run.

It is built in a root folder of tests/versions: in the Debian whose OVS and DPDK belong together. A
switch has a bridge with two ports, and a flow from each to the other one. Its PMD threads are
registered lcores; the main thread has the other processor, or shares one.
"""

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tests.field import ports, sources
from tests.field.apps import PROCESSORS, Case
from tests.field.runs import PATIENCE, BrokenRunError, Run
from tests.support.process import run, succeed

HOUR = 3600
"""Seconds that compiling all of it may take, on a machine with other work."""
PATCHED = ("dpif-netdev.c", "dpif-netdev-perf.c", "dpif-netdev-perf.h", "dpdk.c")
"""Files of lib/ that the port changes."""
NO_CORE = 2**32 - 1
"""Of threads that poll no port."""
OPENFLOW = ("utilities/ovs-ofctl", "-O", "OpenFlow13")
LIBRARY, PROGRAM = "lib/libopenvswitch.la", "vswitchd/ovs-vswitchd"
TOOLS = ("ovsdb/ovsdb-tool", "ovsdb/ovsdb-server", "utilities/ovs-ofctl", "utilities/ovs-appctl",
         "utilities/ovs-vsctl")  # fmt: skip
GENERATED = ("aclocal.m4", "configure", "config.h.in", "Makefile.in")
"""Made by programs that the system need not have; Debian's patches are newer than these."""
CONFIGURED = ("--enable-silent-rules", "--disable-ssl", "--enable-afxdp=no", "--with-dpdk=shared",
              "CFLAGS=-O2")  # fmt: skip
SHOWN = {
    "Rx packets": "recv", "PHWOL hits": "phwol_hit", "Simple Match hits": "simple_hit",
    "EMC hits": "exact_hit", "SMC hits": "smc_hit", "Megaflow hits": "masked_hit",
    "Upcalls": "miss", "Lost upcalls": "lost", "Tx packets": "sent_pkts",
    "Tx batches": "sent_batches",
}  # fmt: skip
"""What `dpif-netdev/pmd-stats-show` shows, and the counter of the port."""


def _make(yard: ports.Yard, tree: Path, *words: str) -> None:
    command = ("nice", "-n", "15", "make", "-s", "-C", str(tree), *words)
    succeed(*yard.system("ovs").command(*command), timeout=HOUR)


def _tree(yard: ports.Yard) -> Path:
    """The source, configured and compiled, once; with what operates a switch."""
    tree = yard.folder / "ovs" / "tree"
    if tree.is_dir():
        return tree
    root = yard.system("ovs").root
    assert root is not None
    shutil.copytree(sources.switch(root), tree, symlinks=True)
    for name in GENERATED:
        (tree / name).touch()
    inside = f"cd {tree} && ./configure {' '.join(CONFIGURED)}"
    succeed(*yard.system("ovs").command("sh", "-c", inside))
    built = tree / "built.mk"
    built.write_text("include Makefile\nbuilt: $(BUILT_SOURCES)\n", "utf-8")
    _make(yard, tree, "-f", built.name, "built")
    _make(yard, tree, PROGRAM, *TOOLS)
    return tree


def _ported(compiled: Path, tree: Path) -> Path:
    """A copy of the compiled tree with patched files; only these are compiled again."""
    shutil.copytree(compiled, tree, symlinks=True)
    place = tree / "patched"
    place.mkdir()
    for name in PATCHED:
        shutil.copy(tree / "lib" / name, place)
    ports.apply(ports.APPS["ovs"].folder / "port.cocci", place, "ovs")
    for name in PATCHED:
        shutil.copyfile(place / name, tree / "lib" / name)
    return tree


def _link(yard: ports.Yard, tree: Path, folder: Path, pad: int, objects: list[Path]) -> Path:
    """The program with its code moved by some bytes."""
    libs = re.search(r"(?m)^LIBS = (.*)$", (tree / "Makefile").read_text("utf-8"))
    assert libs is not None
    filler = yard.filler("ovs", folder, pad)
    wraps = " ".join(f"-Wl,--wrap={name}" for name in ports.WRAPPED)
    (tree / PROGRAM).unlink(missing_ok=True)
    more = " ".join(map(str, objects))
    _make(yard, tree, PROGRAM, f"LDFLAGS={wraps} {filler}", f"LIBS={more} {libs[1]}")
    return Path(shutil.move(tree / PROGRAM, folder / f"program{pad}"))


def build(
    yard: ports.Yard, app: str, variant: str, pads: tuple[int, ...] = ports.PADS
) -> ports.Program:
    """A variant of the switch, as `Yard.build()`. Raises StalePatchError and NoSourceError."""
    folder = yard.folder / app / variant
    shutil.rmtree(folder, ignore_errors=True)
    tree = _tree(yard)
    flags, counting = yard.counting(app, variant)
    command = ["gcc", "-O3", *yard.dpdk(app, "--cflags"), f"-I{ports.HERE}", *flags]
    objects = yard.compile(app, command, [*counting, ports.HERE / "report.c"], folder / "more")
    if variant == ports.PORT:
        objects += yard.runtime(app)[1]
        tree = _ported(tree, folder / "source")
    own = [f"-I{ports.APPS[app].folder}", *(word for word in flags if word[:2] in ("-I", "-D"))]
    _make(yard, tree, LIBRARY, f"CPPFLAGS={' '.join(own)}")
    made = [_link(yard, tree, folder, pad, objects) for pad in pads]
    return ports.Program(app, variant, tuple(made))


class Switch(Run):
    """A switch that forwards between two ports, and its database."""

    def __init__(
        self, program: Path, case: Case, folder: Path, under: tuple[str, ...] = ()
    ) -> None:
        """As `Run`. What the switch keeps is in a folder of its own below `folder`."""
        self._tree = program.parents[1] / "tree"
        self._home = Path(tempfile.mkdtemp(prefix="ovs-", dir=folder))
        super().__init__(program, case, folder, under)

    def tool(self, name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a program of OVS on this switch."""
        return run(*self.system.command(self._tree / name, *words))

    def manage(self, *words: str) -> str:
        """What the switch answers to a command of ovs-appctl. Raises BrokenRunError."""
        done = self.tool("utilities/ovs-appctl", "-t", self._home / "switch.ctl", *words)
        if done.returncode != 0:
            raise BrokenRunError(f"{words[0]}: {done.stderr}\n{self.said()}")
        return done.stdout

    def _until(self, name: str, *words: str | Path) -> None:
        """Try a program until it succeeds. Raises BrokenRunError after PATIENCE seconds."""
        ends = time.monotonic() + PATIENCE
        while (done := self.tool(name, *words)).returncode != 0:
            if time.monotonic() > ends:
                raise BrokenRunError(f"{name}: {done.stderr}\n{self.said()}")
            time.sleep(0.1)

    def command(self, program: Path, case: Case) -> list[str | Path]:
        """Starts the database and fills it; the command that starts the switch."""
        schema = self._tree / "vswitchd" / "vswitch.ovsschema"
        base, socket = self._home / "conf.db", f"unix:{self._home}/db"
        succeed(*self.system.command(self._tree / "ovsdb/ovsdb-tool", "create", base, schema))
        words = (base, f"--remote=p{socket}", f"--unixctl={self._home}/db.ctl", "-vconsole:off")
        self._database = subprocess.Popen(
            self.system.command(self._tree / "ovsdb/ovsdb-server", *words)
        )
        mask, *pcaps = case.words
        extra = f"--no-huge --no-pci -m {case.memory} --file-prefix={self.prefix}"
        setup = [
            "--", "set", "Open_vSwitch", ".", "other_config:dpdk-init=true",
            f"other_config:pmd-cpu-mask={mask}", f'other_config:dpdk-extra="{extra}"',
            "--", "add-br", "br0",
            "--", "set", "bridge", "br0", "datapath_type=netdev", "fail_mode=secure",
        ]  # fmt: skip
        cores = [bit for bit in range(PROCESSORS) if int(mask, 16) >> bit & 1]
        for at, device in enumerate(pcaps):
            core = cores[at % len(cores)]
            setup += ["--", "add-port", "br0", f"p{at}", "--", "set", "interface", f"p{at}"]
            setup += ["type=dpdk", f"ofport_request={at + 1}", f'options:dpdk-devargs="{device}"']
            setup += [f'other_config:pmd-rxq-affinity="0:{core}"']
        self._until("utilities/ovs-vsctl", f"--db={socket}", "--no-wait", "init")
        self._until("utilities/ovs-vsctl", f"--db={socket}", "--no-wait", *setup[1:])
        # Its bridge has a device of its own: in a network namespace of its own, too.
        return ["unshare", "--net", program, socket, f"--unixctl={self._home}/switch.ctl",
                "-vconsole:warn", "-vfile:off", "-vsyslog:off"]  # fmt: skip

    def variables(self) -> dict[str, str]:
        """Where a bridge has its sockets."""
        return {"OVS_RUNDIR": str(self._home)}

    @property
    def _bridge(self) -> str:
        return f"unix:{self._home}/br0.mgmt"

    def flow(self, rule: str) -> None:
        """Add a flow, once the bridge is there."""
        self._until(*OPENFLOW, "add-flow", self._bridge, rule)

    def meter(self, rate: int) -> None:
        """From now on drop what the first port receives above a rate, in packets a second."""
        words = f"meter=1,pktps,bands=type=drop,rate={rate}"
        self._until(*OPENFLOW, "add-meter", self._bridge, words)
        self.flow("in_port=1,actions=meter:1,output:2")

    def metered(self) -> int:
        """Packets that the meter has dropped, by OpenFlow."""
        text = self.tool(*OPENFLOW, "meter-stats", self._bridge, "meter=1").stdout
        return sum(map(int, re.findall(r"0: packet_count:(\d+)", text)))

    def wait(self) -> None:
        """Wait until packets are sent."""
        for at in (1, 2):
            self.flow(f"in_port={at},actions=output:{3 - at}")
        super().wait()

    def shown(self) -> dict[str, int]:
        """What `pmd-stats-show` shows of each thread, `core.counter`; hits only where a thread has
        received packets."""
        found = {}
        shown = self.manage("dpif-netdev/pmd-stats-show")
        _, *threads = re.split(r"(?m)^(pmd thread .* core_id \d+|main thread):$", shown)
        for thread, text in zip(threads[::2], threads[1::2], strict=True):
            core = thread.split()[-1].replace("thread", str(NO_CORE))
            for name, value in re.findall(r"(?m)^ +(?:- )?([A-Za-z ]+?): +(\d+)", text):
                if name in SHOWN:
                    found[f"{core}.{SHOWN[name]}"] = int(value)
        return found

    def differences(self) -> list[str]:
        """Where pmd-stats-show is not what the port counts; of an original nothing is known."""
        now, shown = self.counters("now"), self.shown()
        return [
            f"{name} is {now[name]}, shown as {value}"
            for name, value in shown.items()
            if now and now[name] != value
        ]

    def close(self) -> None:
        """End it and its database, however they are."""
        super().close()
        self._database.kill()
        self._database.wait()
        shutil.rmtree(self._home, ignore_errors=True)
