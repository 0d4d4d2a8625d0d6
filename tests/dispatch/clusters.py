"""Clusters that no configuration has: turbo engines of any prime and number, with any number of threads."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from eccelerate.configs.config import Config, build_root, find_config, rtl_files
from eccelerate.configs.tops import modules


def turbo_cluster(prime: int, engines: int, threads: int) -> Config:
    """`engines` turbo engines with `threads` threads each behind a dispatcher, for a prime given by its
    number.
    """
    single = replace(find_config("turbo-p256"), parameters=(("Prime", prime), ("Threads", threads)))
    top = f"eccel_turbo_{prime}_{threads}_x{engines}"
    members = ((single, engines),)
    return replace(find_config("turbo-p256-x9"), top=top, shell=f"{top}_axil", members=members)


def cluster_files(config: Config, *, shell: bool = False) -> tuple[Path, ...]:
    """As `rtl_files`, but generated files are written to the build folder."""
    folder, texts = build_root() / "tests" / "clusters", modules(config)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        unfinished = folder / f"{name}.{os.getpid()}"
        unfinished.write_text(text)
        unfinished.rename(folder / f"{name}.sv")
    files = rtl_files(config, shell=shell)
    return tuple(folder / path.name if path.stem in texts else path for path in files)
