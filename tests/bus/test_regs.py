"""The generated files of the register map follow from regs/eccel.rdl and say so; C and Python agree."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.regs import ADDRESS_BITS, REGISTERS, Field, register_files


@pytest.mark.parametrize("path", register_files.RENDERERS)
def test_generated_files_are_current(path: str) -> None:
    text = (ROOT / path).read_text()
    assert text == register_files.outputs()[path], f"run: {register_files.COMMAND}"
    assert register_files.MARK in text.splitlines()[0]


def test_fields_are_apart() -> None:
    for register in REGISTERS.values():
        masks = [field.mask for field in register.fields.values()]
        assert sum(masks) < 1 << 32 and sum(mask.bit_count() for mask in masks) == sum(masks).bit_count()
    offsets = [register.offset for register in REGISTERS.values()]
    assert len(set(offsets)) == len(offsets) and max(offsets) < 1 << ADDRESS_BITS


def test_field_values() -> None:
    field = Field(lsb=4, width=3)
    assert field.mask == 0x70 and field.get(0xFFFFFFAF) == 2 and field.put(5) == 0x50
    for value in (-1, 8):
        with pytest.raises(ValueError):
            field.put(value)


def test_c_header_has_the_map(root: Path, tmp_path: Path) -> None:
    """A C compiler evaluates every macro to the value of the Python map."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.fail("no C compiler: install build-essential")
    checks = []
    for name, register in REGISTERS.items():
        checks.append(f"ECCEL_{name} == {register.offset}")
        for field, place in register.fields.items():
            if place.width < 32:
                checks.append(
                    f"ECCEL_{name}_{field} == {place.mask}u && ECCEL_{name}_{field}_SHIFT == {place.lsb}"
                )
    source = tmp_path / "check.c"
    lines = [f'_Static_assert({check}, "{i}");' for i, check in enumerate(checks)]
    source.write_text("\n".join(['#include "eccel_regs.h"', *lines, ""]))
    include = root / "sw" / "include" / "gen"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", f"-I{include}"]
    subprocess.run([compiler, *flags, str(source)], check=True, timeout=60)


def test_html(tmp_path: Path) -> None:
    register_files.html(tmp_path / "manual")
    assert (tmp_path / "manual" / "index.html").is_file()
