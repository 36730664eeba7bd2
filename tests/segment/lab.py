# SPDX-License-Identifier: BSD-3-Clause
"""An application that publishes, and a reader in C that has nothing of the runtime."""

from pathlib import Path

from ctrgen.tools.live.segment import Segment
from tests.support.cbuild import QUICK, SANITIZED, Build, Workshop
from tests.support.dialogue import Dialogue
from tests.support.planted import PROJECT, Tree
from tests.support.process import succeed
from tests.support.strategies import SEQUENCED

HERE = Path(__file__).parent


def segment_sources(tree: Tree = PROJECT) -> list[Path]:
    """The files of the part of the runtime."""
    return sorted((tree.runtime() / "src" / "parts" / "segment").glob("*.c"))


def application(
    workshop: Workshop, sync: str = SEQUENCED, tree: Tree = PROJECT, **changes: object
) -> Path:
    """The program of app.c."""
    build = Build(
        HERE / "all.yaml", sync, (HERE / "app.c",), tuple(segment_sources(tree)), tree=tree,
        flags=QUICK, own_flags=("-Wno-error=pedantic",),
    )  # fmt: skip
    return workshop.program(build.but(**changes))


def peek(workshop: Workshop, tree: Tree = PROJECT, flags: tuple[str, ...] = QUICK) -> Path:
    """The program of peek.c: no file of the runtime but the reader."""
    runtime = tree.runtime()
    names = ("ctr_segment_reader.c", "ctr_segment_check.c")
    sources = [HERE / "peek.c", *(runtime / "src" / "parts" / "segment" / name for name in names)]

    def make(target: Path) -> None:
        include = f"-I{runtime / 'include'}"
        succeed("gcc", "-std=gnu11", *flags, include, *sources, "-o", target)

    name = "asan" if flags == SANITIZED else "plain"
    return workshop.once(f"peek-{name}-{'' if tree.path is None else tree.path.parent.name}", make)


class Application(Dialogue):
    """A running program of app.c."""

    def __init__(self, program: Path, *words: str | Path, waits: bool = False) -> None:
        """With `waits` it has something to wait for: `created` is to be asked for later."""
        super().__init__(program, *words)
        self.created = "" if waits else self.answer()

    def do(self, *commands: str) -> str:
        """Give commands that must succeed; the answer of the last."""
        for command in commands:
            answer = super().do(command)
            assert int(answer) >= 0, (command, answer)
        return answer

    def dump(self) -> list[str]:
        """What the module says by its descriptor."""
        return self.lines("dump")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.release()

    def end(self) -> int:
        """Let it end; its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(60)
        self.release()
        return code

    def release(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


def python_dump(path: str | Path, *, dead: bool = False) -> list[str]:
    """What the reader in Python finds, as the programs print it."""
    source = Segment(path, dead=dead)
    clock_ns = source.header().clock_ns
    lines = []
    for module in source.modules():
        for scope in module.scopes:
            for instance in source.read(module, scope):
                names = "".join(f"|{name}" for name in instance.names)
                values = ""
                for item, value in zip(scope.items, instance.values, strict=True):
                    if item.type == "timestamp" and isinstance(value, int):
                        value -= clock_ns
                    values += f" {item.name}={value}"
                lines.append(f"{scope.name}{names}{values}")
    return lines
