"""Measures against faults that can be switched off in an engine, to see what they are good for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from eccelerate import isa
from eccelerate.configs.config import build_root
from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config, ConfigError
from eccelerate.flow.tools import digest
from eccelerate.model.jobs import Status
from eccelerate.ucode.program import image

GUARDS, CHECKS = "guards", "checks"
MEASURES = {
    GUARDS: "the RTL checks its states, its counters and the microcode",
    CHECKS: "the microcode checks its results, its key and its constants",
}
"""What each measure does, by name."""


def require_known(off: Sequence[str]) -> tuple[str, ...]:
    """The names. Raises ConfigError for one that does not exist."""
    for name in off:
        if name not in MEASURES:
            raise ConfigError(f"no measure {name!r}; there are: {', '.join(MEASURES)}")
    return tuple(off)


def engine_without(config: Config, off: Sequence[str]) -> tuple[Config, Path | None]:
    """The configuration without the measures in `off`, and its microcode if that is another one."""
    if GUARDS in off:
        config = replace(config, parameters=(*config.parameters, ("Guarded", 0)))
    return config, without_checks(config) if CHECKS in off else None


def without_checks(config: Config) -> Path:
    """Its program, in which no error is found: nothing branches to the label `fault`, and no thread gets the
    status FAULT.
    """
    program = load_program(config)
    table = isa.load(config.engine.removeprefix("ecp_"))
    fault = program.labels["fault"]
    words = list(program.words)
    for address, word in enumerate(words):
        form, fields = table.decode(word)
        branches = form.mnemonic == "br" and fields["target"] == fault
        if branches or (form.mnemonic == "fail" and fields["verdict"] == Status.FAULT):
            words[address] = table.encode("jmp", target=address + 1)
    path = build_root() / "ucode" / f"unchecked-{digest(words, config.guarded)}.hex"
    if not path.is_file():
        path.write_text(image(words, guarded=config.guarded))
    return path
