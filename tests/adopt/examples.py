# SPDX-License-Identifier: BSD-3-Clause
"""The examples of DPDK, and what `ctrgen adopt` proposes for them."""

from pathlib import Path

from tests.support.process import ctrgen

COUNTING = {
    "distributor": {"global": 11, "worker_pkt": 1, "port_rx_pkt": 1, "port_tx_pkt": 1},
    "dma": {"port": 4},
    "ip_reassembly": {"global": 4},
    "ipsec-secgw": {"global": 28},
    "l2fwd": {"port": 3},
    "l2fwd-crypto": {"port": 5, "crypto_dev": 3},
    "l2fwd-event": {"port": 3},
    "l2fwd-jobstats": {"port": 3},
    "l2fwd-keepalive": {"port": 3},
    "l2fwd-macsec": {"port": 3},
    "l3fwd-power": {"global": 5, "ep_nep": 1, "fp_nfp": 1},
    "link_status_interrupt": {"port": 3},
    "multi_process/client_server_mp/mp_client": {"port": 3},
    "multi_process/client_server_mp/mp_server": {"client": 2, "port": 1},
    "multi_process/symmetric_mp": {"port": 3},
    "ntb": {"ntb_port": 2},
    "packet_ordering": {"global": 14},
    "ptp_tap_relay_sw": {"global": 7},
    "qos_sched": {"data_stream": 6},
    "server_node_efd/node": {"port": 3, "global": 2},
    "server_node_efd/server": {"global": 2, "node": 2, "port": 1, "node_info": 2},
    "vhost": {"vhost_dev": 4},
    "vmdq": {"queue": 1},
    "vmdq_dcb": {"queue": 1},
}
"""The examples that have counters of their own, found by reading, with the number of items in each
scope; of ipsec-secgw's, three are counted at its start only. All others count nothing, count in
variables of functions (eventdev_pipeline) or in structs that are not called statistics (bbdev_app,
bond, rxtx_callbacks), or only read what libraries count."""


def folders(examples: Path) -> dict[str, list[Path]]:
    """The source files of each example, with the headers that its parts share."""
    found: dict[str, list[Path]] = {}
    for path in sorted(examples.rglob("*.c")):
        name = str(path.parent.relative_to(examples)).replace("/efd_", "/")  # since 23.03
        headers = (*path.parent.glob("*.h"), *path.parent.parent.glob("shared/*.h"))
        found.setdefault(name, sorted(headers)).append(path)
    return found


def proposed(files: list[Path]) -> str:
    """The schema that is proposed; "" for none."""
    done = ctrgen("adopt", *files, "--module", "app")
    if done.exit_code == 2 and "no counter in these files" in done.stderr:
        return ""
    assert done.exit_code == 0, done.output
    return done.stdout
