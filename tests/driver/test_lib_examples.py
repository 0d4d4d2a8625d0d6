"""The examples of docs/libeccel.md work as they stand there."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.configs.config import ROOT
from eccelerate.curves import find_curve
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Op
from tests.driver.fake_device import FakeDevice
from tests.driver.library import compile_program, library
from tests.driver.test_lib_registers import shell

__all__ = ["shell"]  # a fixture

PAGE = (ROOT / "docs" / "libeccel.md").read_text()
EXAMPLES = dict(re.findall(r"<!-- example (\S+) -->\n```\w+\n(.*?)```", PAGE, re.S))
FIRMWARE = """
#include "simulated_bus.h"
static struct simulated_bus bus;
uint32_t random_word(void *context) { (void)context; return (uint32_t)random() ^ (uint32_t)random() << 16; }
uint32_t milliseconds(void *context) { (void)context; return 0; }
int main(int count, char **arguments)
{
    uint8_t digest[32] = {7}, key[32] = {0}, r[32], s[32];
    key[31] = 9;
    bus = simulated_open(arguments[count - 1]);
    int error = sign(digest, key, r, s);
    for (int i = 0; i < 64; i++)
        printf("%02x", i < 32 ? r[i] : s[i - 32]);
    return error || sign(digest, key, r, s) || bus.errors(bus.shell);
}
"""


@pytest.fixture
def device(tmp_path: Path) -> Iterator[FakeDevice]:
    with FakeDevice(tmp_path / "s") as opened:
        yield opened


def test_the_page_has_the_examples() -> None:
    assert set(EXAMPLES) == {"sign.c", "many.c", "agree.py", "firmware.c"}
    assert PAGE.count("```c\n") + PAGE.count("```python\n") == len(EXAMPLES)


@pytest.mark.parametrize(
    ("name", "output", "op", "jobs"),
    [
        ("sign.c", "OK: the job succeeded\n", Op.ECDSA_VERIFY, 1),
        ("many.c", "64 jobs, 0 failed\n", Op.BASE_MUL, 64),
    ],
)
def test_programs_in_c(device: FakeDevice, tmp_path: Path, name: str, output: str, op: Op, jobs: int) -> None:
    source = tmp_path / name
    source.write_text("#define _GNU_SOURCE\n" + EXAMPLES[name])
    program = compile_program(source, tmp_path)
    done = external.run([str(program), device.uri], cwd=tmp_path, timeout=60)
    assert (done.code, done.text) == (0, output), done.errors
    assert device.count(op) == jobs


def test_the_program_in_python(device: FakeDevice, tmp_path: Path) -> None:
    (tmp_path / "agree.py").write_text(EXAMPLES["agree.py"])
    env = os.environ | {"PYTHONPATH": str(ROOT), "ECCEL_LIBRARY": str(library())}
    command = [sys.executable, "agree.py", device.uri]
    done = external.run(command, cwd=tmp_path, env=env, timeout=60)
    assert (done.code, done.text) == (0, "both have the same secret\n"), done.errors


def test_the_firmware_signs_on_the_simulated_shell(shell: Path, tmp_path: Path) -> None:
    """The simulated bus takes the place of the two accesses to memory."""
    text = EXAMPLES["firmware.c"]
    for old, new in (
        ("((void *)0x40000000)", "(&bus)"),
        ("*(volatile uint32_t *)((unsigned char *)context + offset);", "simulated_read(context, offset);"),
        (
            "*(volatile uint32_t *)((unsigned char *)context + offset) = word;",
            "simulated_write(context, offset, word);",
        ),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    include, _, body = FIRMWARE.partition("uint32_t random_word")
    programs = Path(__file__).parent / "programs"
    source = tmp_path / "firmware.c"
    source.write_text(
        f"#define _GNU_SOURCE\n{(programs / 'simulated_bus.h').read_text()}\n"
        f"{include.replace('#include', '//')}{text}\nuint32_t random_word{body}"
    )
    program = compile_program(source, tmp_path)
    done = external.run([str(program), str(shell)], cwd=tmp_path, timeout=60)
    assert done.code == 0, done.errors
    r, s = int(done.text[:64], 16), int(done.text[64:], 16)
    curve = find_curve("P-256")
    public = point.base_mul(curve, 9)
    assert public and ecdsa.verify(curve, 7 << 248, r, s, public)
