"""Many faults in one job: random bits of a place in random clocks, or each instruction skipped once.

Trial number i of a campaign is the same whenever it is made, so that a campaign that was interrupted goes on
where it was. Results are kept under a hash of the RTL, the program and the job, in the build folder or in
that of the variable ECCEL_FAULTS.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from eccelerate.attacks.fault_trial import Fault, Outcome, Trial, Victim
from eccelerate.attacks.victim_job import VictimJob
from eccelerate.configs.config import build_root
from eccelerate.configs.kind import Config
from eccelerate.configs.rtl_reach import needed_files, used_code
from eccelerate.curves import Curve
from eccelerate.flow.tools import digest
from eccelerate.rtlsim.state_layout import Place
from eccelerate.rtlsim.verilate import ModelSource

SHOWN = 40
"""Faults that a summary names."""


@dataclass(frozen=True)
class Campaign:
    """What is attacked: `flips` random bits of each place, and, with `skips`, each instruction once.
    off: measures that the engine lacks. sample: so many of the instructions only.
    """

    config: Config
    curve: Curve
    job: VictimJob
    flips: int
    places: tuple[Place, ...]
    skips: bool = False
    seed: int = 1
    off: tuple[str, ...] = ()
    sample: int | None = None

    @property
    def key(self) -> str:
        """Changes with everything that decides the results."""
        source = ModelSource.of(self.config)
        images = [path.read_text() for _, path in source.images]
        parts = (sorted(used_code(needed_files(source.files, source.top))), source.parameters, images)
        return digest(parts, self.curve, self.job.name, self.seed, self.off)

    def faults(self, victim: Victim) -> list[Fault]:
        """The faults, place by place."""
        name = f"{self.config.name} {self.curve.name} {self.job.name} {self.seed}"
        found: list[Fault] = []
        for place in self.places:
            generator = random.Random(f"{name} {place.name}")
            found += [victim.random_fault(place, generator) for _ in range(self.flips)]
        if self.skips:
            generator = random.Random(f"{name} skips")
            skips = victim.random_skips(generator)
            found += skips if self.sample is None else generator.sample(skips, self.sample)
        return found


class Step(NamedTuple):
    """A trial, the number of those that are left, and the clocks of the job without a fault."""

    trial: Trial
    left: int
    cycles: int


@dataclass
class Summary:
    """The outcomes of a campaign, and the faults that were not noticed."""

    counts: Counter[Outcome] = field(default_factory=Counter)
    after: Counter[Outcome] = field(default_factory=Counter)
    unnoticed: list[Trial] = field(default_factory=list)
    cycles: int = 0

    def add(self, trial: Trial) -> None:
        """Count a trial."""
        self.counts[trial.outcome] += 1
        self.after[trial.after] += 1
        bad = (Outcome.WRONG_OK, Outcome.HANG)
        if trial.outcome in bad or trial.after in bad:
            self.unnoticed.append(trial)

    @property
    def record(self) -> dict[str, Any]:
        """As JSON. next_wrong: jobs after a fault that were wrong with status OK, or hung."""
        return {
            "flips": self.counts.total(),
            "correct": self.counts[Outcome.CORRECT],
            "detected": self.counts[Outcome.DETECTED],
            "hang": self.counts[Outcome.HANG],
            "wrong_ok": self.counts[Outcome.WRONG_OK],
            "next_wrong": self.after[Outcome.WRONG_OK],
            "next_hang": self.after[Outcome.HANG],
            "where": [
                {"fault": trial.fault.at, "outcome": trial.outcome.name, "next": trial.after.name}
                for trial in sorted(self.unnoticed, key=lambda trial: trial.fault.at)[:SHOWN]
            ],
        }


def run(campaign: Campaign, workers: int = 1) -> Iterator[Step]:
    """The trials. Raises what `Victim` raises."""
    victim = Victim(campaign.config, campaign.curve, campaign.job, campaign.seed, campaign.off)
    faults = campaign.faults(victim)
    folder = Path(os.environ.get("ECCEL_FAULTS") or build_root() / "faults")
    kept = folder / f"{campaign.config.name}-{campaign.job.name}-{campaign.key}.jsonl"
    done = _kept(kept)
    left = len(faults)
    for fault in faults:
        if found := done.get(_name(fault)):
            left -= 1
            yield Step(Trial(fault, *found), left, victim.cycles)
    kept.parent.mkdir(parents=True, exist_ok=True)
    if kept.is_file() and not kept.read_text().endswith("\n"):  # killed while it wrote
        kept.write_text("".join(line for line in kept.read_text().splitlines(True) if line.endswith("\n")))
    open_faults = [fault for fault in faults if _name(fault) not in done]
    with kept.open("a") as stream:
        for trial in victim.trials(open_faults, workers):
            row = [_name(trial.fault), int(trial.outcome), int(trial.after)]
            stream.write(json.dumps(row) + "\n")
            stream.flush()
            left -= 1
            yield Step(trial, left, victim.cycles)


def _name(fault: Fault) -> str:
    flips = " ".join(f"{int(place)}.{bit}" for place, bit in fault.flips)
    return f"{fault.clock}: {flips}"


def _kept(path: Path) -> dict[str, tuple[Outcome, Outcome]]:
    if not path.is_file():
        return {}
    rows = (json.loads(line) for line in path.read_text().splitlines() if line.endswith("]"))
    return {name: (Outcome(outcome), Outcome(after)) for name, outcome, after in rows}
