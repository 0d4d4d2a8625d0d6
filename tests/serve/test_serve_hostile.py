"""Clients that misbehave or die do no harm to others, and the server ends as it should."""

from __future__ import annotations

import contextlib
import random
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.driver.server_link import Frame, ServerLink, connect, encode
from eccelerate.driver.transport import TransportError
from eccelerate.model import point
from eccelerate.model.jobs import Op, Status, curve_load_operands
from tests.serve.serve_running import SANITIZE, Server, serving, wait_for

ROOT = Path(__file__).resolve().parents[2]
P256 = find_curve("P-256")
LOAD = Request(Op.CURVE_LOAD, 1, 0, 0, 8, curve_load_operands(P256)).words()
JOB = Request(Op.BASE_MUL, 1, 5, 0, 8, (77,)).words()
FUZZ = 400
CONNECTIONS = 1000


@pytest.fixture
def server() -> Iterator[Server]:
    with serving("--latency-ms", "1", "--prepare", "4") as found:
        yield found
        assert found.engine(P256).base_mul(3).point == point.base_mul(P256, 3)
        assert found.process.poll() is None


def mutated(rng: random.Random) -> bytes:
    """Frames of which bytes are changed, missing, doubled or inserted."""
    frames = [
        encode(Frame.REQUEST, LOAD),
        encode(Frame.HELLO),
        encode(Frame.REQUEST, JOB),
        encode(Frame.COUNTERS),
    ]
    data = bytearray(b"".join(rng.choices(frames, k=rng.randrange(1, 6))))
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[place] ^= 1 << rng.randrange(8)
            case 1:
                del data[place : place + rng.randrange(1, 40)]
            case 2:
                data[place:place] = rng.randbytes(rng.randrange(1, 40))
            case _:
                data = data[: place + 1]
        if not data:
            break
    return bytes(data)


def test_mutated_frames(server: Server) -> None:
    assert 0 < send_mutated(server, 16, FUZZ) < FUZZ


@pytest.mark.soak
def test_many_mutated_frames(server: Server) -> None:
    for seed in range(100):
        assert send_mutated(server, seed, FUZZ)


def send_mutated(server: Server, seed: int, count: int) -> int:
    """Sends mutated frames on so many connections; how many of them the server has ended."""
    rng, ended = random.Random(seed), 0
    for _ in range(count):
        link = connect(server.uri)
        link.settimeout(0.01)
        with contextlib.suppress(OSError):
            link.sendall(mutated(rng))
            if rng.randrange(2):
                link.shutdown(socket.SHUT_WR)
            while link.recv(4096):
                pass
            ended += 1
        link.close()
    wait_for(lambda: server.counters()["connections"] == 0)
    return ended


def test_mutated_packets_in_whole_frames(server: Server) -> None:
    """The CRC is right, and the packet is not: every one is answered, or the frame is malformed."""
    rng = random.Random(17)
    link, answers = server.link(), 0
    link.send(Frame.REQUEST, LOAD)
    link.expect(Frame.RESPONSE)
    for _ in range(FUZZ):
        words = list(rng.choice((LOAD, JOB)))
        for _ in range(rng.randrange(1, 4)):
            place = rng.choice((0, 1, 1, rng.randrange(len(words))))
            if place < len(words):
                words[place] = rng.choice((words[place] ^ 1 << rng.randrange(32), rng.getrandbits(32)))
        words = words[: rng.choice((len(words), rng.randrange(1, len(words) + 1)))]
        link.send(Frame.REQUEST, words)
        answer = link.expect(Frame.RESPONSE)
        assert answer[0] >> 8 & 0xFF == words[0] & 0xFF and answer[0] >> 16 == words[0] >> 16
        answers += 1
    assert answers == FUZZ


def test_a_slow_reader_stops_only_itself(server: Server) -> None:
    slow, others = server.link(), server.engine(P256)
    slow.send(Frame.REQUEST, LOAD)
    slow.expect(Frame.RESPONSE)
    slow.socket.settimeout(1.0)
    frame, sent = encode(Frame.REQUEST, JOB), 0
    with pytest.raises(TransportError):  # the server reads no more
        for _ in range(200_000):
            slow.send_bytes(frame * 16)
            sent += 16
    assert sent < 200_000 * 16
    before = server.status_value("VmRSS")
    for k in range(2, 200):
        assert others.base_mul(k).point == point.base_mul(P256, k)
    assert server.status_value("VmRSS") < before + 4096
    slow.socket.settimeout(20)
    expected = point.base_mul(P256, 77)
    for _ in range(1000):  # it goes on when it is read
        assert decode_response(slow.expect(Frame.RESPONSE), 8).results == expected


def test_greedy_clients_share_the_queue_fairly() -> None:
    """Three clients with thousands of jobs, one with a job now and then: a device of 2 ms for each job."""
    with serving("--latency-ms", "2", "--at-once", "1", "--queue", "48") as server:
        greedy, modest = [server.link() for _ in range(3)], server.engine(P256)
        for link in greedy:
            link.send(Frame.REQUEST, LOAD)
            link.expect(Frame.RESPONSE)
            link.send_bytes(encode(Frame.REQUEST, JOB) * 600)
        waits = []
        for _ in range(8):
            began = time.monotonic()
            assert modest.submit(Op.BASE_MUL, (5,)).ok
            waits.append(time.monotonic() - began)
        assert sorted(waits)[4] < 0.002 * 48 * 2  # and not after the 1,800 jobs that came before
        link_counts = []
        server.process.send_signal(signal.SIGTERM)
        for link in greedy:
            count = 0
            with contextlib.suppress(TransportError):
                while link.expect(Frame.RESPONSE)[0] & 0xFF == 0:
                    count += 1
            link_counts.append(count)
        assert max(link_counts) <= 1.5 * min(link_counts) + 8, link_counts


def test_requests_that_need_no_device_do_not_wait_for_one() -> None:
    """Refused requests of many clients while the queue is full: nobody is forgotten."""
    with serving("--latency-ms", "20", "--at-once", "1", "--queue", "2") as server:
        links = [server.link() for _ in range(6)]
        bad = encode(Frame.REQUEST, Request(Op.BASE_MUL, 77, 5, 0, 8, (77,)).words())
        for link in links:
            link.send_bytes(encode(Frame.REQUEST, LOAD) + (encode(Frame.REQUEST, JOB) + bad * 20) * 5)
        for link in links:
            statuses = [link.expect(Frame.RESPONSE)[0] & 0xFF for _ in range(106)]
            assert statuses.count(Status.OK) == 6 and statuses.count(Status.BAD_CURVE) == 100


def test_a_client_that_sends_no_more_gets_its_answers(server: Server) -> None:
    link = server.link()
    link.send(Frame.REQUEST, LOAD)
    for _ in range(200):
        link.send(Frame.REQUEST, JOB)
    link.socket.shutdown(socket.SHUT_WR)
    assert len([link.expect(Frame.RESPONSE) for _ in range(201)]) == 201
    with pytest.raises(TransportError, match="ended"):
        link.receive()


def test_killed_clients(server: Server) -> None:
    command = [sys.executable, "-m", "tests.serve.serve_client", server.uri, "P-256", "1", "100000"]
    clients = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(3)]
    witness = subprocess.Popen(
        [sys.executable, "-m", "tests.serve.serve_client", server.uri, "P-256", "2", "60"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    for client in clients:
        assert client.stdout is not None
        client.stdout.readline()
        client.kill()
        client.stdout.close()
    assert [client.wait(10) for client in clients] == [-signal.SIGKILL] * 3
    assert witness.wait(60) == 0
    wait_for(lambda: server.counters()["connections"] == 0)
    assert server.counters()["in_flight"] == 0


def test_nothing_grows_over_many_connections(server: Server) -> None:
    def use(count: int) -> None:
        for number in range(count):
            link = ServerLink(server.uri)
            link.send(Frame.REQUEST, LOAD)
            link.send(Frame.REQUEST, JOB)
            if number % 3:
                link.expect(Frame.RESPONSE)
            if number % 3 == 1:
                link.expect(Frame.RESPONSE)
            link.close()
        wait_for(lambda: server.counters()["connections"] == 0)

    descriptors = server.descriptors()
    use(100)
    wait_for(lambda: server.descriptors() == descriptors)
    memory, mappings = server.status_value("VmRSS"), server.status_value("VmSize")
    use(CONNECTIONS)
    wait_for(lambda: server.descriptors() == descriptors)
    if not SANITIZE:  # which keeps freed memory for a while
        assert server.status_value("VmRSS") <= memory + 512
        assert server.status_value("VmSize") <= mappings + 1024


def test_more_clients_than_the_limit_wait(tmp_path: Path) -> None:
    with serving("--latency-ms", "0", "--max-connections", "4") as server:
        first = [server.link() for _ in range(4)]
        assert all(link.status().is_server for link in first)
        waiting = ServerLink(server.uri, timeout=0.3)
        with pytest.raises(TransportError, match="in time"):
            waiting.status()
        first[0].close()
        waiting.socket.settimeout(10)
        assert waiting.expect(Frame.STATUS)
        waiting.close()


def test_a_server_without_free_descriptors_goes_on() -> None:
    with serving("--latency-ms", "0") as server:
        first = server.engine(P256)
        limit = server.descriptors() + 2
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (limit, limit))
        others = [ServerLink(server.uri, timeout=0.3) for _ in range(4)]
        answered = 0
        for link in others:
            with contextlib.suppress(TransportError):
                answered += link.status().is_server
        assert 1 <= answered <= 2
        before = server.cpu_seconds()
        time.sleep(0.5)
        assert server.cpu_seconds() - before < 0.25  # it does not spin
        assert first.base_mul(3).ok
        for link in others:
            link.close()
        wait_for(lambda: server.counters()["connections"] == 1)
        assert server.engine(P256).base_mul(3).ok


def test_sigterm_answers_what_is_under_way() -> None:
    with serving("--latency-ms", "300") as server:
        link = server.link()
        link.send(Frame.REQUEST, LOAD)
        link.expect(Frame.RESPONSE)
        for _ in range(50):
            link.send(Frame.REQUEST, JOB)
        wait_for(lambda: server.counters()["in_flight"] == 50)
        server.process.send_signal(signal.SIGTERM)
        answers = [decode_response(link.expect(Frame.RESPONSE), 8) for _ in range(50)]
        assert {answer.results for answer in answers} == {point.base_mul(P256, 77)}
        assert server.process.wait(10) == 0
        assert not Path(server.uri.removeprefix("unix:")).exists()
        with pytest.raises(TransportError):
            link.receive()
        assert server.events("stopped")[0]["unanswered"] == 0


def test_sigterm_ends_in_bounded_time() -> None:
    with serving("--latency-ms", "60000", "--drain-ms", "200") as server:
        link = server.link()
        link.send(Frame.REQUEST, LOAD)
        link.expect(Frame.RESPONSE)
        link.send(Frame.REQUEST, JOB)
        wait_for(lambda: server.counters()["in_flight"] == 1)
        began = time.monotonic()
        assert server.stop() == 1  # a job had no answer
        assert time.monotonic() - began < 3
        assert server.events("not_drained")


def test_sigterm_does_not_wait_for_a_slow_reader() -> None:
    with serving("--latency-ms", "0", "--drain-ms", "200") as server:
        link = server.link()
        link.send(Frame.REQUEST, LOAD)
        link.socket.settimeout(0.3)
        with pytest.raises(TransportError):
            for _ in range(100_000):
                link.send(Frame.REQUEST, JOB)
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 3


def test_a_new_server_takes_the_place_of_a_killed_one(tmp_path: Path) -> None:
    uri = f"unix:{tmp_path}/socket"
    with serving("--latency-ms", "100", uri=uri) as server:
        link = server.link()
        link.send(Frame.REQUEST, LOAD)
        link.expect(Frame.RESPONSE)
        link.send(Frame.REQUEST, JOB)
        server.process.kill()
        with pytest.raises(TransportError):
            link.receive()
        server.process.wait()
        assert (tmp_path / "socket").exists()
        with serving("--latency-ms", "0", uri=uri) as after:
            assert after.engine(P256).base_mul(3).ok


def test_a_hundred_connections_at_once(server: Server) -> None:
    links = [server.link() for _ in range(100)]
    for link in links:
        link.send_bytes(encode(Frame.REQUEST, LOAD) + encode(Frame.REQUEST, JOB) * 4)
    for link in links:
        statuses = [decode_response(link.expect(Frame.RESPONSE), 8).status for _ in range(5)]
        assert statuses == [Status.OK] * 5
