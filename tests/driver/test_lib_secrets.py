"""Private keys and shared secrets do not stay in the memory of a process that uses libeccel."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.driver.packet import Request, Response
from eccelerate.model.jobs import Op
from tests.driver.fake_device import RESPONSE, FakeDevice, frame, honest
from tests.driver.library import compile_program

PROGRAM = Path(__file__).parent / "programs" / "secrets.c"


def _next_words(device: FakeDevice, request: Request, response: Response) -> bytes:
    """The key with one added to each word, in place of the shared secret."""
    if request.op != Op.ECDH:
        return honest(device, request, response)
    d = request.operands[2]
    words = [(d >> 32 * i & 0xFFFFFFFF) + 1 for i in range(request.width)]
    return frame(RESPONSE, [request.op << 8 | request.tag << 16, len(words), *words])


@pytest.mark.parametrize(("leak", "code"), [([], 0), (["leak"], 5)], ids=["wiped", "a leak is found"])
def test_no_secret_stays_in_memory(tmp_path: Path, leak: list[str], code: int) -> None:
    program = compile_program(PROGRAM, tmp_path)
    with FakeDevice(tmp_path / "s", delay=0.1, hook=_next_words) as device:
        done = external.run([str(program), device.uri, *leak], cwd=tmp_path, timeout=120)
    assert done.code == code, done.errors
