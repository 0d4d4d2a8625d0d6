"""Faults: the tool finds again what is known of an engine without measures against them, and a skipped
instruction acts as one that is not in the program.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate import isa
from eccelerate.attacks.fault_campaign import Campaign, Summary, run
from eccelerate.attacks.fault_trial import Fault, Outcome, Victim
from eccelerate.attacks.measures import CHECKS, GUARDS, without_checks
from eccelerate.attacks.victim_job import find_job
from eccelerate.cli.app import app
from eccelerate.configs.config import find_config
from eccelerate.configs.images import ProgramImage, load_program
from eccelerate.configs.kind import Config, ConfigError
from eccelerate.curves import Curve
from eccelerate.curves.small import find_small_curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Flag
from eccelerate.rtlsim.rtl import EventKind, RtlTransport
from eccelerate.rtlsim.state_layout import Place
from eccelerate.ucode.program import image as image_of

CONFIG, CURVE = find_config("compact-w32"), find_small_curve(65521, 65518)
STATE = (Place.STATE,)


@pytest.fixture(scope="module")
def victim() -> Victim:
    return Victim(CONFIG, CURVE, find_job("sign"))


def summary_of(campaign: Campaign) -> Summary:
    summary = Summary()
    for trial, *_ in run(campaign, 2):
        summary.add(trial)
    return summary


def test_flips_of_registers_give_wrong_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without measures, a fifth of them did in an evaluation with 330 flips. A second run repeats nothing."""
    monkeypatch.setenv("ECCEL_FAULTS", str(tmp_path))
    campaign = Campaign(CONFIG, CURVE, find_job("sign"), 40, STATE, off=(CHECKS, GUARDS))
    first = summary_of(campaign)
    assert first.counts.total() == 40
    assert 0 < first.counts[Outcome.WRONG_OK] < 20 and first.counts[Outcome.CORRECT] > 10
    (kept,) = tmp_path.iterdir()
    lines = kept.read_text().splitlines()
    assert len(lines) == 40
    kept.write_text("\n".join(lines[:30]) + '\n["half a li')  # the process was killed
    assert summary_of(campaign).record == first.record


def test_measures_find_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same flips, and others: no signature is wrong, no job is without an answer, and the next one is
    right or refused.
    """
    monkeypatch.setenv("ECCEL_FAULTS", str(tmp_path))
    found = summary_of(Campaign(CONFIG, CURVE, find_job("sign-check"), 60, STATE))
    assert found.counts[Outcome.DETECTED] > 10 and found.counts[Outcome.CORRECT] > 10
    assert not found.unnoticed, [trial.fault.at for trial in found.unnoticed]


def test_no_skipped_instruction_gives_a_wrong_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of the instructions; all of them are skipped in the long campaigns."""
    monkeypatch.setenv("ECCEL_FAULTS", str(tmp_path))
    found = summary_of(Campaign(CONFIG, CURVE, find_job("sign-check"), 0, STATE, skips=True, sample=40))
    assert found.counts.total() == 40 and not found.counts[Outcome.WRONG_OK]


def test_trials_end_as_they_would_without_a_shorter_way(victim: Victim) -> None:
    """A trial ends early where the engine is again as without the fault. The victim itself does not move."""
    before = victim.transport.clocks
    generator = random.Random(1)
    places = (Place.STATE,) * 30 + (Place.REGISTERS, Place.MAILBOX, Place.MICROCODE) * 5
    faults = [victim.random_fault(place, generator) for place in places]
    faults += generator.sample(victim.random_skips(generator), 10)
    assert all(fault.clock < victim.cycles and fault.at for fault in faults)
    whole, shorter = (
        {trial.fault.at: (trial.outcome, trial.after) for trial in victim.trials(faults, 2, whole)}
        for whole in (True, False)
    )
    assert len(whole) == len(faults) and whole == shorter
    assert {outcome for outcome, _ in whole.values()} >= {Outcome.CORRECT, Outcome.DETECTED}
    assert victim.transport.clocks == before


def test_a_fault_after_the_end_is_not_taken_for_a_harmless_one(victim: Victim) -> None:
    late = Fault(victim.cycles + 1, ((Place.STATE, 0),), "late")
    with pytest.raises(RuntimeError, match="1 trials have not been made"):
        list(victim.trials([late]))


def prepared_by(config: Config, curve: Curve) -> set[int]:
    """The addresses of the instructions that load curve and key."""
    transport = RtlTransport(config, events=True)
    engine = Engine(transport)
    engine.load_curve(curve)
    find_job("sign").prepare(engine, curve, random.Random(9), Flag.NONE)
    events = transport.take_events()
    transport.close()
    return {event.value for event in events if event.kind == EventKind.INSTRUCTION}


def test_a_skipped_instruction_is_as_one_that_is_not_there(victim: Victim, tmp_path: Path) -> None:
    """For instructions that are executed once: the answer is that of a program with a jump in their place."""
    addresses = [address for address, _ in victim.issues]
    once = [(address, clock) for address, clock in victim.issues if addresses.count(address) == 1]
    names = {
        address: isa.load().decode(word)[0].mnemonic for address, word in enumerate(victim.program.words)
    }
    before = prepared_by(CONFIG, CURVE)
    left = [each for each in once if names[each[0]] != "jmp" and each[0] not in before]
    chosen = random.Random(3).sample(left, 4)
    request = victim.request
    for address, clock in chosen:
        words = list(victim.program.words)
        words[address] = isa.load().encode("jmp", target=address + 1)
        image = tmp_path / f"{address}.hex"
        image.write_text(image_of(words))
        skipped, changed = (
            RtlTransport(CONFIG, events=True, program=program) for program in (victim.program.hex, image)
        )
        answers = []
        for transport in (skipped, changed):
            engine = Engine(transport)
            engine.load_curve(CURVE)
            find_job("sign").prepare(engine, CURVE, random.Random(9), Flag.NONE)
            if transport is skipped:
                fault = victim.skip(address, clock)
                for place, bit in fault.flips:
                    transport.flip(fault.clock, place, bit)
            answers.append(engine.submit(request.op, request.operands, request.flags))
            transport.close()
        assert (answers[0].status, answers[0].values) == (answers[1].status, answers[1].values), address


@pytest.mark.parametrize("name", ["compact-w32", "binary-163-d64", "turbo-p256"])
def test_a_program_without_checks_differs_in_the_checks_only(name: str) -> None:
    config = find_config(name)
    before, path = load_program(config), without_checks(config)
    after = ProgramImage(path, before.symbols)
    changed = sum(old != new for old, new in zip(before.words, after.words, strict=True))
    assert 10 < changed < 100


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECCEL_FAULTS", str(tmp_path))
    found = CliRunner().invoke(app, ["fault", "binary-163-d16", "mul", "--flips", "3", "--json"])
    record = json.loads(found.stdout)
    assert record["flips"] == 3
    assert {"correct", "detected", "hang", "wrong_ok", "next_wrong"} <= set(record)
    wrong = CliRunner().invoke(app, ["fault", "compact-w32", "mul", "--where", "nowhere"])
    assert wrong.exit_code == 2 and "microcode" in wrong.output
    assert CliRunner().invoke(app, ["fault", "compact-w32", "nothing"]).exit_code == 2
    assert CliRunner().invoke(app, ["fault", "cluster-small", "mul"]).exit_code == 2
    with pytest.raises(ConfigError, match="base-mul"):
        find_job("nothing")
