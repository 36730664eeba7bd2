# SPDX-License-Identifier: BSD-3-Clause
"""What objects of generated code rely on in the runtime, as text: a line each.

Structs and unions with the offset and the size of each member, enumerators with their values, and
prototypes of the functions that the runtime exports, as the compiler notes them in debugging
information and pahole and pfunct print them. Of the POSIX port on a machine of 64 bits. What inline
functions and macros do is not in it: those are compiled into the objects.
"""

import re
from pathlib import Path

from tests.machine.layout import structs
from tests.release.recorded import sources
from tests.support.process import succeed

FLAGS = ("-std=gnu11", "-g", "-O0", "-fno-eliminate-unused-debug-types")
LEFT_OUT = re.compile(r"_(dpdk|agentx|bench|bpf|guarded|telemetry|quiescent_posix)\.h$")
"""Headers that nothing generated includes under the POSIX port, or not by themselves."""

_ENUM = re.compile(r"^enum (\w+) \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
_ENUMS = re.compile(r"^(?:typedef )?enum (ctr_\w+) \{", re.MULTILINE)
_LABEL = re.compile(r"(\w+)\s+= (-?\d+)")
_PROTOTYPE = re.compile(r"^.*?(\w+)\(.*\);$", re.MULTILINE)


def fingerprint(runtime: Path, work: Path) -> list[str]:
    """The lines, sorted, of a folder with include/ and src/; compiles in a folder of its own."""
    made = work / "headers.o"
    headers = sorted((runtime / "include").glob("*.h"))
    headers = [path for path in headers if not LEFT_OUT.search(path.name)]
    source = work / "headers.c"
    lines = ['#include "ctr.h"', *(f'#include "{path.name}"' for path in headers)]
    source.write_text("\n".join(lines) + "\n", "utf-8")
    words = ["gcc", *FLAGS, "-DCTR_PORT_POSIX=1", f"-I{runtime / 'include'}"]
    succeed(*words, "-c", source, "-o", made)
    text = "".join(path.read_text("utf-8") for path in headers)
    found = {*_structs(made), *_enums(made, set(_ENUMS.findall(text)))}
    files = sources(runtime)
    whole = work / "runtime.o"
    succeed(*words, "-c", *files, cwd=work)
    succeed("ld", "-r", *(f"{path.stem}.o" for path in files), "-o", whole, cwd=work)
    return sorted(found | set(_functions(whole)))


def _structs(made: Path) -> list[str]:
    return [
        f"struct {name}: {struct.size} bytes, aligned to {struct.align}: "
        + ", ".join(f"{m} {at}+{size}" for m, (at, size) in struct.members.items())
        for name, struct in structs(made).items()
        if name.startswith("ctr_")
    ]


def _enums(made: Path, names: set[str]) -> list[str]:
    said = succeed("pahole", "-C", ",".join(sorted(names)), made)
    found = {name: _LABEL.findall(body) for name, body in _ENUM.findall(said)}
    assert set(found) == names, names - set(found)
    return [f"enum {name}: {label} {value}" for name, of in found.items() for label, value in of]


def _functions(made: Path) -> list[str]:
    """Prototypes of the functions that an object exports."""
    symbols = succeed("nm", "-g", "--defined-only", made).splitlines()
    exported = {line.split()[-1] for line in symbols if " T " in line}
    said = succeed("pfunct", "-P", "--no_parm_names", made)
    found = {}
    for match in _PROTOTYPE.finditer(said):
        if match[1] in exported:
            found[match[1]] = re.sub(r"\s+", " ", match[0]).replace("* *", "**")
    assert set(found) == exported, exported - set(found)
    return list(found.values())
