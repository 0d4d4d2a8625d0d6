"""An engine whose activity is recorded, as it is, or with changes in its program or in its RTL."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from eccelerate.configs.config import ROOT, RTL_DIR, find_config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Op, Status
from eccelerate.rtlsim.rtl import Entropy, Plan, RtlTransport
from eccelerate.rtlsim.verilate import ModelSource
from eccelerate.ucode.asm import assemble
from tests.leakage.activity import Trace, record

Change = tuple[str, str, str]
"""A file below ucode/ or rtl/, and text that occurs once in it, with its replacement."""


class Victim:
    """The RTL of a configuration with a curve.

    folder: for changed files. changes: of the program, which is then assembled without the checks of secrets.
    rtl_changes: of the RTL. labels: address of each label of the program.
    """

    def __init__(
        self,
        config: str,
        curve: Curve,
        folder: Path,
        changes: Sequence[Change] = (),
        rtl_changes: Sequence[Change] = (),
    ) -> None:
        found = find_config(config)
        assert found.single is not None
        self.digit_bits = found.single.digit_bits
        sources = _changed(ROOT / "ucode", folder / "ucode", changes)
        program = assemble(sources / f"{found.single.program}.toml", check=not changes)
        self.labels = program.labels
        image = folder / "program.hex"
        program.write_hex(image, found.single.ucode_depth)
        model = ModelSource.of(found)
        if rtl_changes:
            rtl = _changed(RTL_DIR, folder / "rtl", rtl_changes)
            model = replace(model, files=tuple(rtl / path.relative_to(RTL_DIR) for path in model.files))
        self.transport = RtlTransport(model, events=True, program=image)
        self.transport.record_events(False)
        self.engine = Engine(self.transport, binary=curve.kind == "binary")
        assert self.engine.load_curve(curve).status == Status.OK

    def radix_bits(self, curve: Curve) -> int:
        """Bits of the radix R of the unit for integers."""
        return -(-32 * curve.element_words // self.digit_bits) * self.digit_bits

    def trace(self, op: Op, operands: Sequence[int], flags: int = 0, entropy: Sequence[int] = ()) -> Trace:
        """The trace of a job, which ends with OK. `entropy` holds the words that it draws first."""
        self.transport.entropy_words(entropy)
        trace = record(self.transport, lambda: self.engine.submit(op, operands, flags).check())
        if entropy:  # forget what is left
            self.transport.entropy(Entropy.SEED, sum(entropy))
        return trace

    def short_trace(self, op: Op, operands: Sequence[int], stop: int | None = None, flags: int = 0) -> Trace:
        """The trace of a job that the zeroise input ends after `stop` clocks, if it has not ended before."""
        self.transport.plan = Plan(zeroise_at=stop)
        trace = record(self.transport, lambda: self.engine.submit(op, operands, flags))
        self.transport.plan = Plan()
        return trace


def _changed(original: Path, copy: Path, changes: Sequence[Change]) -> Path:
    shutil.copytree(original, copy)
    for name, old, new in changes:
        text = (copy / name).read_text()
        assert text.count(old) == 1, f"{name} has {text.count(old)} times: {old}"
        (copy / name).write_text(text.replace(old, new))
    return copy
