"""Operations through the provider on the RTL model, with the counters of the server before and after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from eccelerate.explore.figures import Record
from eccelerate.explore.system.eccel_load import LoadError, LoadPlan, run_load
from eccelerate.explore.system.engine_server import MODEL_TIMEOUT_MS, model_server
from eccelerate.explore.system.openssl_conf import OpensslConf
from eccelerate.explore.system.subjects import Subject

COUNTERS = {"ecdh": "ecdh", "sign": "ecdsa_sign", "verify": "ecdsa_verify"}
"""Operations, and the names of their counters."""
FEW, MANY = 8, 64
SECONDS = 300.0


def check_on_rtl(
    module: Path, folder: Path, subjects: Sequence[Subject], tell: Callable[[str], None], *, many: bool
) -> Record:
    """The counters before and after some operations of each single engine of `subjects`, by its key.

    The results are checked by the default provider. Raises LoadError if the counters do not show every
    operation, or if the device is paced.
    """
    number = MANY if many else FEW
    found: Record = {}
    for subject in subjects:
        if subject.config.engines:
            continue  # a cluster takes minutes to build and to simulate; its engines are those of turbo-p256
        place = folder / f"rtl-{subject.config_name}-{subject.curve_name}"
        settings = {"fallback": "no", "counters": "none", "blind": "no", "timeout-ms": str(MODEL_TIMEOUT_MS)}
        with model_server([subject.config], place, tell) as server:
            if server.is_paced():
                raise LoadError(f"{server.uri} is a paced device, not a model")
            conf = OpensslConf(module, server.uri, settings).write(place / "openssl.cnf")
            before = server.counters()
            for operation in COUNTERS:
                tell(f"{subject.key}, RTL model: {number} x {operation}")
                plan = LoadPlan(operation, subject.group, jobs=number, count=number, seconds=SECONDS)
                run_load(plan, conf)
            after = server.counters()
        found[subject.key] = {
            name: {"before": before[name], "after": after[name]} for name in (*COUNTERS.values(), "failed")
        }
        for name in COUNTERS.values():
            done = after[name] - before[name]
            if done < number:
                raise LoadError(f"{subject.key}: the engine counts {done} {name} of {number}")
    return {"counters": found, "rtl_operations": number}
