# SPDX-License-Identifier: BSD-3-Clause
"""What verbs have in common: their groups, options and output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..findings.usage import UsageError
from .completion import complete

if TYPE_CHECKING:
    from ..findings.diagnostics import Diagnostics
    from ..pipeline.check import Checked

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What declares an option of the function below it."""

STYLES = ("text", "json", "github")
"""How findings can be printed; the keys of `printers.PRINTERS`."""


GROUPS = SCHEMAS, GENERATED, STRATEGIES, RUNNING, SHELLS = (
    "Schemas", "Generated files", "Strategies", "Running applications", "Shells",
)  # fmt: skip
"""The groups of verbs, in the order in which help lists them."""


class Verb(click.Command):
    """A command whose words are never empty, and whose modes exclude each other. Help lists it in
    one of `GROUPS`, by its `place` there."""

    def __init__(self, *args: Any, group: str, place: int, **more: Any) -> None:
        super().__init__(*args, **more)
        self.group, self.place = group, place

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what would otherwise be taken for the default, or for the last of two."""
        if not ctx.resilient_parsing:
            values, _, order = self.make_parser(ctx).parse_args(args=list(args))
            _refuse(values, order)
        return super().parse_args(ctx, args)


def _refuse(values: Mapping[str, object], given: Iterable[click.Parameter]) -> None:
    flags: dict[str, str] = {}
    for option in given:
        name, spelled = str(option.name), max(option.opts, key=len)
        if isinstance(option, click.Argument):
            spelled = str(option.metavar).strip("[].")
        value = values.get(name)
        if "" in (value if isinstance(value, (list, tuple)) else [value]):
            raise UsageError(f"{spelled} is empty", "give it a value, or leave it out")
        if getattr(option, "is_flag", False) and flags.setdefault(name, spelled) != spelled:
            raise UsageError(f"{flags[name]} and {spelled} exclude each other", "give one of them")


def verb(group: str, place: int, name: str | None = None) -> Callable[[Callable[..., Any]], Verb]:
    """Make a verb of the decorated function; `name` where that is not the function's."""
    return click.command(name, cls=Verb, group=group, place=place)


def listed_names(option: str, *texts: str) -> tuple[str, ...]:
    """The names in the lists that an option was given, each once; none when it was not."""
    words = (name.strip() for text in texts for name in text.split(","))
    names = tuple(dict.fromkeys(filter(None, words)))
    if any(texts) and not names:
        raise UsageError(f"{option}: '{texts[0]}' names nothing", "give names, or leave it out")
    return names


def value_option(name: str, metavar: str, text: str, default: Any = "", **more: Any) -> Option:
    """An option with a value; help shows its default, unless that is empty."""
    return click.option(
        *name.split("/"), metavar=metavar, default=default, show_default=bool(default), help=text,
        shell_complete=complete, **more,
    )  # fmt: skip


def style_option(styles: tuple[str, ...], what: str | None = None, show: bool = True) -> Option:
    """`--format`: how something is printed, first of all as text."""
    choice = click.Choice(styles)
    return click.option(
        "--format", "style", type=choice, default="text", show_default=show, help=what
    )


schema_argument = click.argument("schema", metavar="SCHEMA", shell_complete=complete)
findings_style = style_option(STYLES, "How to print findings.")
_MIB_PATH = "Folder to search for imported SMI modules; may be repeated."
_FOLDER = click.Path(exists=True, file_okay=False)
mib_path_option = value_option("--mib-path", "DIR", _MIB_PATH, (), multiple=True, type=_FOLDER)
_PARTS = (
    "Include optional parts: agentx, bench, openmetrics, segment, telemetry, xdp; may be repeated."
)
parts_option = value_option("--with/parts", "PART,..", _PARTS, (), multiple=True)
"""Parts of the runtime: see `listed_names`. A test compares its help with `PARTS`."""
_SYNC = "Strategy to use instead of the schema's: NAME or NAME:KEY=VALUE,..."
sync_option = value_option("--sync", "STRATEGY", _SYNC, None)


def checked_schema(
    schema: str, sync: str | None, mib_path: tuple[str, ...] = (), only: tuple[str, ...] = ()
) -> Checked:
    """`pipeline.check` of a schema under the strategy of `--sync`, which must exist."""
    from ..pipeline.build import chosen_sync
    from ..pipeline.check import check

    return check(schema, chosen_sync(sync), mib_path=mib_path, only=only)


def show_findings(diagnostics: Diagnostics, style: str, stream: Any) -> None:
    """Print all findings in a style."""
    from ..findings.printers import print_findings

    text = print_findings(diagnostics, style)
    encoding = getattr(stream, "encoding", None) or "utf-8"  # None: the caller closed it
    text = text.encode(encoding, "backslashreplace").decode(encoding)  # a locale may lack a letter
    click.echo(text, file=stream, nl=False)
