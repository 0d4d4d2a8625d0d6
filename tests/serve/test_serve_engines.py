"""The server on RTL models: several curves, many processes, secrets."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.driver.server_link import Frame, ServerLink
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op
from tests.serve.serve_running import SANITIZE, Server, model, run_all, serving

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = 8


def client(server: Server, curve: str, seed: int, jobs: int) -> subprocess.Popen[bytes]:
    """A process that does jobs and checks their results."""
    command = [sys.executable, "-m", "tests.serve.serve_client", server.uri, curve, str(seed), str(jobs)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def test_two_connections_use_two_curves_on_one_engine() -> None:
    curves = [find_curve("P-256"), find_curve("brainpoolP192r1")]
    with serving("--device", model("compact-w32")) as server:
        engines = [server.engine(curve) for curve in curves]
        links = [engine.transport for engine in engines]
        for tag in range(16):
            for curve, engine, link in zip(curves, engines, links, strict=True):
                assert isinstance(link, ServerLink)
                words = Request(Op.BASE_MUL, engine.curve_id, tag, 0, curve.element_words, (tag + 2,)).words()
                link.send(Frame.REQUEST, words)
        for curve, link in zip(curves, links, strict=True):
            assert isinstance(link, ServerLink)
            replies = [link.expect(Frame.RESPONSE) for _ in range(16)]
            found = {words[0] >> 16: decode_response(words, curve.element_words).results for words in replies}
            assert found == {tag: point.base_mul(curve, tag + 2) for tag in range(16)}
        assert 2 <= server.counters()["curve_loads"] <= 12  # and not one for each of 32 jobs


def test_eight_processes_share_two_engines() -> None:
    names = ["P-256", "secp256k1", "P-192", "B-163"]
    devices = ("--device", model("compact-w32"), "--device", model("binary-163-d64"))
    with serving(*devices) as server:
        clients = [client(server, names[i % 4], i, 6) for i in range(CLIENTS)]
        assert run_all(clients, 300) == [0] * CLIENTS
        counters = server.counters()
        assert counters["connections_total"] >= CLIENTS and counters["in_service"] == 2
        assert counters["ecdsa_sign"] and counters["ecdsa_verify"] and counters["ecdh"]


def appearances(server: Server, secret: int, curve: Curve) -> int:
    """How often a number is in the memory of the server, in either byte order."""
    size = (curve.n.bit_length() + 7) // 8
    wanted = [secret.to_bytes(size, order) for order in ("big", "little")]
    return sum(block.count(each) for block in server.memory() for each in wanted)


@pytest.mark.skipif(bool(SANITIZE), reason="sanitizers keep copies of memory")
def test_keys_are_not_in_the_memory_of_the_server_nor_on_its_way_to_clients() -> None:
    curve, rng = find_curve("P-256"), random.Random(5)
    for arguments in (("--device", model("compact-w32")), ("--latency-ms", "0")):
        with serving("--dumpable", *arguments) as server:  # so that the test may look into it
            engine = server.engine(curve)
            link = engine.transport
            assert isinstance(link, ServerLink)
            received = bytearray()
            take = link.socket.recv

            def copied(count: int, take: object = take, received: bytearray = received) -> bytes:
                data: bytes = take(count)  # type: ignore[operator]
                received.extend(data)
                return data

            link.socket = Tap(link, copied)  # type: ignore[assignment]
            d, other, loaded = (rng.randrange(1, curve.n) for _ in range(3))
            public = point.base_mul(curve, d)
            assert public is not None
            for flags in (Flag.NONE, Flag.BLIND):
                r, s = engine.submit(Op.ECDSA_SIGN, (3, d), flags | Flag.RANDOM).check().values
                assert ecdsa.verify(curve, 3, r, s, public)
                engine.submit(Op.ECDH, (*public, other), flags).check()
                engine.submit(Op.BASE_MUL, (d,), flags).check()
            engine.submit(Op.KEY_LOAD, (loaded,)).check()
            engine.submit(Op.ECDSA_SIGN, (3,), Flag.KEY | Flag.RANDOM).check()
            engine.submit(Op.ZEROISE).check()
            for number in range(4):  # what is used again, is used again
                engine.submit(Op.BASE_MUL, (number + 5,)).check()
            for secret in (d, other, loaded):
                assert appearances(server, secret, curve) == 0, arguments
                for order in ("big", "little"):
                    assert secret.to_bytes(32, order) not in received
            # The search finds what is there: a public number that the server remembers, or has in a curve.
            assert appearances(server, curve.gx, curve) > 0
            log = server.log_file.read_text()
            assert all(f"{secret:x}" not in log and str(secret) not in log for secret in (d, other, loaded))


class Tap:
    """A socket whose received bytes are seen by a function."""

    def __init__(self, link: ServerLink, receive: object) -> None:
        self._socket, self.recv = link.socket, receive

    def __getattr__(self, name: str) -> object:
        return getattr(self._socket, name)


@pytest.mark.skipif(bool(SANITIZE), reason="a server with sanitizers can be dumped")
def test_a_crash_leaves_no_core_file() -> None:
    for arguments, limit in (((), "0"), (("--dumpable",), None)):
        with serving("--latency-ms", "0", *arguments) as server:
            lines = Path(f"/proc/{server.pid}/limits").read_text().splitlines()
            found = next(line.split()[4:6] for line in lines if line.startswith("Max core file"))
            assert found == [limit, limit] if limit else found[1] != "0"
