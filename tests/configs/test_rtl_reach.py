"""Which files a module needs, of those of its rooms."""

from __future__ import annotations

from pathlib import Path

from eccelerate.configs.config import find_config, rtl_files
from eccelerate.configs.rtl_reach import needed_files


def test_only_what_the_top_needs_counts(tmp_path: Path) -> None:
    """Of a room of files; the cells of a vendor always do, and all files if the top is not among them."""
    texts = {
        "eccel_top": "module eccel_top; eccel_part u_part (); endmodule  // not eccel_other",
        "eccel_part": "module eccel_part import eccel_some_pkg::*; (); endmodule",
        "eccel_some_pkg": "package eccel_some_pkg; endpackage",
        "eccel_other": "module eccel_other; eccel_part u_part (); endmodule",
        "vendor_cells": "module DP16KD; endmodule",
    }
    files = [tmp_path / f"{name}.sv" for name in texts]
    for file in files:
        file.write_text(texts[file.stem])
    assert [file.stem for file in needed_files(files, "eccel_top")] == [
        "eccel_top", "eccel_part", "eccel_some_pkg", "vendor_cells",
    ]  # fmt: skip
    assert needed_files(files, "eccel_nothing") == files


def test_the_netlist_of_a_compact_engine_does_not_depend_on_the_turbo_engine() -> None:
    config = find_config("compact-w32")
    left_out = set(rtl_files(config)) - set(needed_files(rtl_files(config), config.top))
    assert {"eccel_job_thread", "eccel_lockstep_mover"} <= {file.stem for file in left_out}
