"""What is measured: configurations with their curves, and the rate of the hardware at the placed clock."""

from __future__ import annotations

from dataclasses import dataclass

from eccelerate.configs.config import Config, find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.explore.figures import Record, Stores, claimed_mhz, latest_placement, place_device
from eccelerate.explore.published import CurveRates, find_system

CYCLES = {"ecdh": "ecdh", "sign": "ecdsa_sign", "verify": "ecdsa_verify"}
"""Operations of the load generator, and the names of their cycles."""


@dataclass(frozen=True)
class Subject:
    """An engine that works on a curve. group: the curve, as OpenSSL calls it."""

    config_name: str
    curve_name: str
    group: str

    @property
    def config(self) -> Config:
        """The configuration of the engine."""
        return find_config(self.config_name)

    @property
    def curve(self) -> Curve:
        """The curve."""
        return find_curve(self.curve_name)

    @property
    def key(self) -> str:
        """A name for records."""
        return f"{self.config_name} {self.curve_name}"


B163 = Subject("binary-163-d64", "B-163", "sect163r2")
K163 = Subject("binary-163-d64", "K-163", "sect163k1")
P256 = Subject("turbo-p256", "P-256", "prime256v1")
P256_X9 = Subject("turbo-p256-x9", "P-256", "prime256v1")
SUBJECTS = (B163, K163, P256, P256_X9)
QUICK = (B163, P256)


@dataclass(frozen=True)
class Hardware:
    """The engine at the placed clock: operations a second by name of the operation, in a stream of jobs.
    `measured_on` names the curve of the cycles, if another one stands for the curve of the subject.
    """

    mhz: float
    device: str
    rates: dict[str, float]
    array_busy: float | None
    measured_on: str


def hardware(subject: Subject, stores: Stores | None = None) -> Hardware | None:
    """The stored figures of a subject. None if cycles or placement are not stored.

    Jobs on curves over one field take nearly the same time, as the ladder does not know the coefficients: the
    cycles of the configuration's own curve stand for another one of the same field.
    """
    stores = stores or Stores()
    config, curve = subject.config, subject.curve
    cycles = stores.cycles.latest(config=config.name, curve=curve.name)
    own = find_curve(config.curve_name)
    if cycles is None and own.p == curve.p:
        cycles, curve = stores.cycles.latest(config=config.name, curve=own.name), own
    clock = _clock(config, stores)
    if cycles is None or clock is None:
        return None
    counts = cycles["cycles"]
    rates = {
        operation: clock[0] * 1e6 / counts.get(f"{name}_sustained", counts[name])
        for operation, name in CYCLES.items()
    }
    return Hardware(clock[0], clock[1], rates, counts.get("array_busy"), curve.name)


def _clock(config: Config, stores: Stores) -> tuple[float, str] | None:
    """The claimed clock in MHz and the device. A cluster is placed with any number of seeds."""
    found = latest_placement(config, place_device(config), stores.flow)
    found = found or latest_placement(config, None, stores.flow, seeds=1)
    return None if found is None else (claimed_mhz(found), str(found["device"]))


def placed_clock_mhz(config: Config, stores: Stores | None = None) -> float | None:
    """The claimed clock of a configuration. None if it was never placed."""
    clock = _clock(config, stores or Stores())
    return None if clock is None else clock[0]


def published() -> CurveRates:
    """The figures of the paper for 163 bits."""
    entry = find_system("gura2002").entry("named-163")
    assert isinstance(entry, CurveRates)
    return entry


def paper_rates() -> Record:
    """The paper's operations a second through OpenSSL, by operation, and those of its hardware alone."""
    rates = published().rates
    return {operation: rates[name] for operation, name in CYCLES.items()} | {"hardware": rates["scalar_mul"]}
