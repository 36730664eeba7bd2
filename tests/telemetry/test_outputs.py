# SPDX-License-Identifier: BSD-3-Clause
"""What the backend `telemetry` writes for other people's collectors."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from tests.support.capabilities import needs_dpdk
from tests.support.planted import Edit, planted
from tests.support.schemas import NAMES, sources
from tests.telemetry import lab

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

Samples = dict[tuple[str, frozenset[tuple[str, Any]]], Any]


def loaded(path: Path) -> ModuleType:
    """An endpoint, as the exporter loads it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Socket:
    """What the exporter gives to endpoints."""

    def __init__(self, asker: lab.Asker) -> None:
        self.asker = asker

    def cmd(self, uri: str, arg: object = None) -> Any:
        return self.asker.ask(uri if arg is None else f"{uri},{arg}")


def collected(endpoint: ModuleType, asker: lab.Asker) -> Samples:
    """All samples; none comes twice, and each has a name that info() has."""
    names = endpoint.info()
    samples: Samples = {}
    for name, value, labels in endpoint.metrics(Socket(asker)):
        at = (name, frozenset(labels.items()))
        assert at not in samples and len(names[name]) == 2
        samples[at] = value
    return samples


def sample(name: str, value: object, **labels: object) -> Any:
    return (name, frozenset(labels.items())), value


WANTED = [
    sample("pkts_total", 2**64 - 6),
    sample("pkts_by_lcore_total", 0, lcore="non_lcore"),
    sample("next_by_lcore_total", 7, lcore="0"),
    sample("next_by_lcore_total", 1000, lcore="non_lcore"),
    sample("sizes_to_64_total", 1),
    sample("level", -40),
    sample("up", 1),
    sample("mode", 1, dpdk_tel_mode="1/2 'open' \\\\ ✓"),
    sample("mode", 0, dpdk_tel_mode="idle"),
    sample("never", 0, dpdk_tel_never="a"),
    sample("address_info", 1, address="192.0.2.1"),
    sample("queue_pkts_total", 102, port=1, queue=2),
    sample("queue_pkts_by_lcore_total", 102, lcore="0", port=1, queue=2),
    sample("drop_pkts_total", 1010, reason="T 'TL' \\\\ ✓", direction="in"),
    sample("session_pkts_total", 8, imsi="a,'b\\\\c % é"),
    sample("peer_pkts_total", 4242, address="10.0.0.9", tcp="179"),
    sample("left_out", 0, scope="session"),
]


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("endpoint")
    result = build(BuildRequest(str(lab.HERE / "tel.yaml"), str(folder), only=("telemetry",)))
    assert result.exit_code == 0
    return loaded(folder / "telemetry-endpoints" / "tel.py")


def test_metrics_of_the_endpoint_have_names_of_their_own(tmp_path: Path) -> None:
    """Those that the endpoint itself gives are taken, too."""
    text = "ctrgen: 1\nmodule: ep\nscopes:\n  global:\n    counters:\n"
    text += "      foo: {unit: packets, description: A.}\n    gauges:\n"
    names = ("foo_total", "foo_by_lcore_total", "left_out")
    text += "".join(f"      {name}: {{unit: packets, description: B.}}\n" for name in names)
    (tmp_path / "ep.yaml").write_text(text, "utf-8")
    request = BuildRequest(str(tmp_path / "ep.yaml"), str(tmp_path), only=("telemetry",))
    assert build(request).exit_code == 0
    endpoint = loaded(tmp_path / "telemetry-endpoints" / "ep.py")
    assert list(endpoint.info()) == [
        "left_out", "foo_total", "foo_by_lcore_total", "foo_total_own",
        "foo_by_lcore_total_own", "left_out_own", "late_updates_total",
        "late_updates_by_lcore_total",
    ]  # fmt: skip


@needs_dpdk
@pytest.mark.dpdk
def test_the_endpoint_keeps_labels(endpoint: ModuleType, asker: lab.Asker) -> None:
    samples = collected(endpoint, asker)
    assert dict(WANTED).items() <= samples.items()
    assert not any(name.startswith("untouched") for name, _ in samples)
    sessions = [labels for name, labels in samples if name == "session_pkts_total"]
    assert len(sessions) == 429
    # Of scopes with many instances lcores are not shown.
    assert not any(name == "session_pkts_by_lcore_total" for name, _ in samples)


@needs_dpdk
@pytest.mark.dpdk
def test_the_endpoint_says_what_it_leaves_out(endpoint: ModuleType, asker: lab.Asker) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endpoint, "MOST", 100)
        samples = collected(endpoint, asker)
    assert samples[sample("left_out", 0, scope="session")[0]] == 1
    assert samples[sample("left_out", 0, scope="peer")[0]] == 0
    assert sum(name == "session_pkts_total" for name, _ in samples) == 100


@needs_dpdk
@pytest.mark.dpdk
def test_an_endpoint_of_another_application(tmp_path: Path, asker: lab.Asker) -> None:
    """It raises an exception, which the exporter logs, and shows nothing half."""
    schema = sources(tmp_path / "s")["drops"]
    assert build(BuildRequest(str(schema), str(tmp_path / "o"), only=("telemetry",))).exit_code == 0
    (path,) = (tmp_path / "o" / "telemetry-endpoints").iterdir()
    with pytest.raises(RuntimeError):
        loaded(path).metrics(Socket(asker))


def configured(folder: Path) -> dict[str, Any]:
    (path,) = folder.glob("*_dpdk_telegraf.conf")
    return tomllib.loads(path.read_text("utf-8"))


def tags(document: dict[str, Any], command: str) -> dict[str, str]:
    """What Telegraf makes of the parameters of a command."""
    parameters = command.partition(",")[2]
    found = {}
    for tag in document["processors"]["regex"][0]["tags"]:
        match = re.search(tag["pattern"], parameters)
        if match is not None:
            assert tag["result_key"] not in found
            found[tag["result_key"]] = match[1]
    return found


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_schema(name: str, tmp_path: Path) -> None:
    schema = sources(tmp_path / "s")[name]
    assert build(BuildRequest(str(schema), str(tmp_path / "o"), only=("telemetry",))).exit_code == 0
    (path,) = (tmp_path / "o" / "telemetry-endpoints").iterdir()
    for metric, (text, kind) in loaded(path).info().items():
        assert re.fullmatch("[a-zA-Z_][a-zA-Z0-9_]*", metric) and "\n" not in text
        assert kind in ("counter", "gauge")
    document = configured(tmp_path / "o")
    (plugin,) = document["inputs"]["dpdk"]
    assert plugin["device_types"] == []
    for command in plugin["additional_commands"]:
        assert len(command) < 1000 and tags(document, command)["scope"]


@pytest.fixture
def telegraf(tmp_path: Path) -> Iterator[dict[str, Any]]:
    assert (
        build(
            BuildRequest(str(lab.HERE / "tel.yaml"), str(tmp_path), only=("telemetry",))
        ).exit_code
        == 0
    )
    yield configured(tmp_path)


def test_telegraf_has_a_tag_for_each_index(telegraf: dict[str, Any]) -> None:
    commands = telegraf["inputs"]["dpdk"][0]["additional_commands"]
    assert tags(telegraf, "/tel/scope,queue,1,2") == {"scope": "queue", "port": "1", "queue": "2"}
    told = [tuple(sorted(tags(telegraf, command).items())) for command in commands]
    assert len(set(told)) == len(told) == 1 + 2 + 6 + 4 + 2 + 1
    assert (("direction", "in"), ("reason", "ttl"), ("scope", "drop")) in told


@needs_dpdk
@pytest.mark.dpdk
def test_telegraf_asks_for_all_items(telegraf: dict[str, Any], asker: lab.Asker) -> None:
    for command in telegraf["inputs"]["dpdk"][0]["additional_commands"]:
        reply = asker.ask(command)
        assert not reply.keys() & {"/error", "/next"} and reply


BUGS = {
    "another part": Edit(
        "generator/backends/telemetry.py", 'parts[number] = "([^,]+)"', 'parts[0] = "([^,]+)"'
    ),
    "lcores are summed": Edit(
        "templates/telemetry/endpoint.py.j2", '{"lcore": lcore, **_labels', "{**_labels"
    ),
}


@needs_dpdk
@pytest.mark.dpdk
@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, tmp_path: Path, asker: lab.Asker) -> None:
    tree = planted(tmp_path / "tree", [BUGS[bug]])
    tree.succeed("build", lab.HERE / "tel.yaml", "-o", tmp_path / "o", "--only", "telemetry")
    with pytest.raises(AssertionError):
        test_telegraf_has_a_tag_for_each_index(configured(tmp_path / "o"))
        collected(loaded(tmp_path / "o" / "telemetry-endpoints" / "tel.py"), asker)
