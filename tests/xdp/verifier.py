# SPDX-License-Identifier: BSD-3-Clause
"""A program for the kernel with a section for each update of a header, for the verifier."""

import re
from pathlib import Path

from tests.support import process
from tests.xdp import lab

_FUNCTION = re.compile(
    r"^static inline void\s+(\w+_stats_(?:\w+?_)?(?:update|run|add|inc|sub|set|observe|touch)_\w+)"
    r"\(([^)]*)\)",
    re.MULTILINE,
)
_MEMBER = "size_t member"

HEAD = """
#include "{header}"
char _license[] SEC("license") = "GPL";
"""
NUMBER = "(bpf_get_prandom_u32() + bpf_ktime_get_ns())"
LIST = f"(const uint32_t[16]){{ {NUMBER}, {NUMBER} & 3 }}"
SECTION = """
SEC("xdp") int program{number}(struct xdp_md *ctx)
{{
	(void)ctx;
	{name}({arguments});
	return XDP_PASS;
}}
"""


def functions(header: str) -> list[tuple[str, list[str]]]:
    """The updates and accessors in a header, with the types of their parameters."""
    found = []
    for name, text in _FUNCTION.findall(header):
        parameters = [
            p.rsplit("*" if "*" in p else None, 1)[0] + "*" * ("*" in p)
            for p in text.split(",")
            if p.strip() != "void"
        ]
        if _MEMBER not in text:
            found.append((name, parameters))
    return found


def write(header: Path) -> tuple[Path, int]:
    """The program that calls each of them with numbers that the verifier does not know; how many
    sections it has."""
    every = functions(header.read_text("utf-8"))
    text = HEAD.format(header=header.name)
    for number, (name, types) in enumerate(every):
        arguments = ", ".join(LIST if "*" in type_ else f"({type_}){NUMBER}" for type_ in types)
        text += SECTION.format(number=number, name=name, arguments=arguments)
    source = header.with_name("verify.bpf.c")
    source.write_text(text, "utf-8")
    return source, len(every)


def accepted(out: Path) -> int:
    """Have the verifier load all of what is generated in a folder; how many functions that were.
    The test fails with what the verifier says."""
    (header,) = out.glob("*.bpf.h")
    source, number = write(header)
    made = lab.compiled(source, out)
    pins = Path("/sys/fs/bpf") / f"ctrgen-{out.parent.name}-{out.name}"
    done = process.run("bpftool", "prog", "loadall", made, pins, merged=True)
    if done.returncode == 0:
        process.succeed("rm", "-r", pins)
    assert done.returncode == 0, f"{header}\n{done.stdout[-3000:]}"
    return number
