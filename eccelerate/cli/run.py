"""`eccel run`: runs any job on the model."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from eccelerate.cli import batch as batches
from eccelerate.cli.batch_file import read_batch
from eccelerate.cli.device_port import PortOption, open_port
from eccelerate.cli.failures import EXIT_FAILURE, UsageError, errors
from eccelerate.cli.stored import placed_clock
from eccelerate.cli.values import op_name, parse_op, parse_operands, parse_value
from eccelerate.configs.config import Config, find_config
from eccelerate.curves import Curve, find_curve, require_valid
from eccelerate.driver import Engine, JobResult
from eccelerate.driver.advice import advice
from eccelerate.driver.engine import key_attributes
from eccelerate.driver.operands import result_names
from eccelerate.model.jobs import CHECKED, Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine

CurveOption = Annotated[
    str | None,
    typer.Option(
        "--curve",
        help="Name in the catalogue, or your own .toml file; default: P-256, or the engine's only curve.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the entropy port.")]
EXCLUSIVE = (Op.CURVE_LOAD, Op.KEY_LOAD, Op.KEYGEN, Op.ZEROISE, Op.SELF_TEST)
WITHOUT_CURVE = (Op.ZEROISE, Op.CURVE_LOAD)
ON_MONTGOMERY = (
    *WITHOUT_CURVE, Op.X_LADDER, Op.MOD_MUL, Op.MOD_INV, Op.MOD_EXP, Op.MOD_ADD, Op.MOD_SUB, Op.SELF_TEST,
)  # fmt: skip


def print_json(record: Mapping[str, object]) -> None:
    """Print the one object of `--json`, a member on each line."""
    print(json.dumps(record, indent=2))


def run_command(
    context: typer.Context,
    config: Annotated[str, typer.Argument(help="Configuration, see `eccel list configs`.")],
    op: Annotated[str, typer.Argument(help="Operation: mul, base-mul, ecdsa-sign, mod-inv, ...")],
    operands: Annotated[
        list[str] | None,
        typer.Argument(
            help="Operands in order or as name=value: 0x hexadecimal, decimal, n-1, G (both coordinates)."
        ),
    ] = None,
    curve: CurveOption = None,
    iss: Annotated[
        bool, typer.Option("--iss", help="Instruction-set simulator instead of the RTL model.")
    ] = False,
    wave: Annotated[
        Path | None, typer.Option("--wave", help="Write a waveform: FILE.vcd or FILE.fst.")
    ] = None,
    as_json: JsonOption = False,
    seed: SeedOption = 1,
    key: Annotated[
        str | None, typer.Option("--key", help="Load this key first and use the key slot for d.")
    ] = None,
    no_sign: Annotated[bool, typer.Option("--no-sign", help="The key is not for signatures.")] = False,
    no_agree: Annotated[bool, typer.Option("--no-agree", help="The key is not for ECDH.")] = False,
    host_nonce: Annotated[
        bool, typer.Option("--host-nonce", help="Signatures with the key may have a nonce k of yours.")
    ] = False,
    random: Annotated[
        bool, typer.Option("--random", help="Draw the nonce or key from the entropy port.")
    ] = False,
    blind: Annotated[bool, typer.Option("--blind", help="64-bit scalar blinding.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Jobs on points: compute the multiple twice and compare.")
    ] = False,
    mod_n: Annotated[bool, typer.Option("--mod-n", help="MOD_* jobs: modulus n instead of p.")] = False,
    cofactor: Annotated[
        bool, typer.Option("--cofactor", help="ECDH with h d: cofactor Diffie-Hellman.")
    ] = False,
    batch: Annotated[
        Path | None,
        typer.Option("--batch", help="Many jobs: a CSV file with a header, or one JSON object in each line."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="With --batch: results to this file.")] = None,
    port: PortOption = None,
) -> None:
    """Run one job and print result, status and cycles; or, with --batch, many jobs in a stream."""
    _refuse_unknown_options(context, operands or [])
    cfg, operation = find_config(config), parse_op(op)
    if cfg.caution:
        errors.print(f"{cfg.name}: {cfg.caution}", style="yellow", markup=False)
    domain = usable_curve(curve, cfg)
    _check_kind(operation, domain)
    if check and operation not in CHECKED:
        raise UsageError(f"--check is for {', '.join(op.name.lower() for op in CHECKED)}")
    if mod_n and operation in CHECKED:
        raise UsageError(f"--mod-n is for jobs mod-*, not for {operation.name.lower()}")
    chosen = {
        Flag.KEY: key is not None, Flag.RANDOM: random, Flag.BLIND: blind, Flag.COFACTOR: cofactor,
        Flag.CHECK: check or mod_n,
    }  # fmt: skip
    flags = sum(int(flag) for flag, on in chosen.items() if on)
    attributes = key_attributes(sign=not no_sign, agree=not no_agree, host_nonce=host_nonce)
    if operation in (Op.KEY_LOAD, Op.KEYGEN):
        flags |= attributes
    elif attributes and key is None:
        raise UsageError("--no-sign, --no-agree and --host-nonce are for --key, key-load and keygen")
    if out is not None and batch is None:
        raise UsageError("--out is for --batch")
    if port is not None and (iss or wave is not None):
        raise UsageError("--port uses a device: leave out --iss and --wave")
    if batch is not None:
        if operands or wave is not None or operation in EXCLUSIVE:
            raise UsageError("--batch runs jobs that keep the engine's state, with operands from its file")
        backend = "iss" if iss else "rtl"
        engine = open_engine(cfg, backend, seed=seed) if port is None else open_port(port, cfg)
        return _run_batch(engine, cfg, operation, flags, domain, key, attributes, batch, out, as_json)
    if operation == Op.CURVE_LOAD:
        if operands:
            raise UsageError("curve-load takes its operands from --curve")
        values: tuple[int, ...] = ()
    else:
        values = parse_operands(operation, flags, operands or [], domain)
    if wave is not None and iss:
        raise UsageError("--wave needs the RTL model: leave out --iss")
    if wave is not None and wave.suffix not in (".vcd", ".fst"):
        raise UsageError(f"--wave {wave}: the name must end in .vcd or .fst")
    if port is None:
        engine = open_engine(cfg, "iss" if iss else "rtl", wave=wave, seed=seed)
    else:
        engine = open_port(port, cfg)
    secret = None if key is None else parse_value(key, domain)
    result = _run(engine, operation, values, flags, domain, secret, attributes)
    clock = placed_clock(cfg)
    ms = None if result.cycles is None or clock is None else result.cycles / clock.mhz / 1000
    if as_json:
        print_json(_record(cfg.name, domain, operation, result, clock.device if clock else None, ms))
    else:
        _print(
            operation,
            result,
            "" if ms is None or clock is None else f"{ms:.3f} ms at {clock.mhz:.1f} MHz ({clock.device})",
        )
    if result.status not in (Status.OK, Status.INFINITY):
        raise typer.Exit(EXIT_FAILURE)


def _refuse_unknown_options(context: typer.Context, operands: list[str]) -> None:
    """Raises UsageError for an operand that can only be a mistyped option."""
    known = [name for parameter in context.command.params for name in parameter.opts if name.startswith("--")]
    for text in operands:
        if text.startswith("--"):
            close = difflib.get_close_matches(text, known, n=1)
            raise UsageError(f"no option {text}" + "".join(f": did you mean {name}?" for name in close))


def _run_batch(
    engine: Engine, config: Config, op: Op, flags: int, curve: Curve, key: str | None, attributes: Flag,
    path: Path, out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Run a file of jobs. Results go to `out`, or to stdout; in that case the figures go to stderr.

    Each curve has its own pool of engines, with `key` in the key slot.
    """
    if as_json and out is None:
        raise UsageError("--json prints the figures: give --out FILE for the results")

    @cache
    def find(name: str) -> Curve:
        found = usable_curve(name, config)
        _check_kind(op, found)
        return found

    file = read_batch(path, op, flags, curve, find)
    for line in file.bad:
        errors.print(f"{path}:{line.number}: {line.error}", style="red", markup=False)
    if not file.good:
        raise UsageError(f"{path} has no job that can be run")
    try:
        engine.load_curves(file.curves)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from error
    for each in file.curves if key is not None else []:
        engine.select(each)
        engine.submit(Op.KEY_LOAD, (parse_value(key or "", each),), attributes).check()
    done = batches.run_batch(engine, config, op, flags, file)
    if out is None:
        batches.write_results(done, op, sys.stdout)
    else:
        with batches.open_out(out) as stream:
            batches.write_results(done, op, stream)
    found = batches.figures(done, config, op, placed_clock(config))
    if as_json:
        print_json(found)
    else:
        batches.print_figures(found, Console(stderr=out is None, highlight=False))
    if done.errors:
        raise typer.Exit(EXIT_FAILURE)


def usable_curve(name: str | None, config: Config) -> Curve:
    """The curve called `name`, or the default curve. A curve of the user is validated, and warnings go to the
    terminal. Raises UsageError if `config` does not support the curve.
    """
    name = name or config.curve_name
    curve = find_curve(name)
    if name.endswith(".toml"):
        for finding in require_valid(curve):
            errors.print(f"warning: {finding.text}", style="yellow", markup=False)
    if reasons := config.lacks(curve):
        where = curve.name if len(config.pools) == 1 else f"no engine of {config.name} takes {curve.name}"
        raise UsageError(f"{where}: {reasons} (`eccel list configs` shows the others)")
    return curve


def _check_kind(op: Op, curve: Curve) -> None:
    """Raises UsageError for a job that this kind of curve does not have."""
    if op == Op.X_LADDER and curve.kind != "montgomery":
        raise UsageError("x-ladder runs on a Montgomery curve: add --curve curve25519 or curve448")
    if curve.kind == "montgomery" and op not in ON_MONTGOMERY:
        raise UsageError(
            f"{curve.name} is a Montgomery curve and has no {op_name(op)}, only x-ladder and mod-*:"
            " wei25519 and wei448 are the Weierstrass forms"
        )


def _run(
    engine: Engine,
    op: Op,
    values: tuple[int, ...],
    flags: int,
    curve: Curve,
    key: int | None,
    attributes: Flag,
) -> JobResult:
    if op == Op.CURVE_LOAD:
        return engine.load_curve(curve)
    if op not in WITHOUT_CURVE:
        engine.load_curve(curve)
    if key is not None:
        engine.submit(Op.KEY_LOAD, (key,), attributes).check()
    return engine.submit(op, values, flags)


def _results(op: Op, result: JobResult) -> dict[str, str]:
    return {name: f"{value:#x}" for name, value in zip(result_names(op), result.values, strict=False)}


def _record(
    config: str, curve: Curve, op: Op, result: JobResult, device: str | None, ms: float | None
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "config": config,
        "curve": curve.name,
        "op": op_name(op),
        "status": result.status_name,
        "results": _results(op, result),
        "cycles": result.cycles,
    }
    return record if ms is None else {**record, "ms": round(ms, 4), "device": device}


def _print(op: Op, result: JobResult, time: str) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for name, text in _results(op, result).items():
        console.print(f"{name:7}{text}")
    style = "green" if result.status in (Status.OK, Status.INFINITY) else "red"
    note = "" if result.ok else f"  ({advice(result.status)})"
    console.print(f"status {result.status_name}{note}", style=style, markup=False)
    if result.cycles is not None:
        console.print(f"cycles {result.cycles:,}" + (f"  = {time}" if time else ""))
