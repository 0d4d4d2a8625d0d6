"""`eccel demo-tls`: TLS servers that people use, with certificates and key agreement on the RTL."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from eccelerate import external
from eccelerate.cli.demo import require
from eccelerate.cli.demo_tls_tables import Part, counters_table, parts_table
from eccelerate.cli.failures import CheckError, UsageError
from eccelerate.cli.steps import Step, Steps
from eccelerate.configs.config import Config, find_config
from eccelerate.explore.handshakes import client_context, count_handshakes
from eccelerate.explore.system import tls_clients
from eccelerate.explore.system.eccel_load import LoadError, clean_environment
from eccelerate.explore.system.engine_server import MODEL_TIMEOUT_MS, EngineServer, model_server
from eccelerate.explore.system.openssl_conf import STRICT, OpensslConf
from eccelerate.explore.system.tls_key import TlsKey, make_tls_key
from eccelerate.external import openssl_provider, serve_program
from eccelerate.external.command import CommandError
from eccelerate.external.service import Service, free_port
from eccelerate.external.tls_servers import VERSIONS, Endpoint, haproxy, nginx, s_server


@dataclass(frozen=True)
class DemoCurve:
    """A curve of the demonstration: its name for OpenSSL, the configuration whose RTL computes on it, and the
    versions of TLS that have it.
    """

    group: str
    config: str
    versions: tuple[str, ...] = ("1.2",)


CURVES = {
    "P-256": DemoCurve("prime256v1", "compact-w32", VERSIONS),
    "P-384": DemoCurve("secp384r1", "compact-w32", VERSIONS),
    "secp256k1": DemoCurve("secp256k1", "compact-w32"),
    "brainpoolP256r1": DemoCurve("brainpoolP256r1", "compact-w32"),
    "sect163k1": DemoCurve("sect163k1", "binary-163-d64"),
    "sect233r1": DemoCurve("sect233r1", "binary-233-d64"),
    "sect283r1": DemoCurve("sect283r1", "binary-571-d64"),
    "sect571r1": DemoCurve("sect571r1", "binary-571-d64"),
}
CROWD = DemoCurve("prime256v1", "turbo-p256", VERSIONS)
"""Many handshakes at once, on an engine with four threads."""
CROWD_CLIENTS, CROWD_HANDSHAKES, CROWD_SECONDS = 16, 32, 300.0
PACKAGES = {"nginx": "nginx-light", "haproxy": "haproxy", "curl": "curl", "openssl": "openssl"}
Progress = Callable[[str], None]


@dataclass
class Demo:
    """What all parts share. `stack` ends all programs; `parts`: what has been done."""

    stack: ExitStack
    folder: Path
    module: Path
    clients: Sequence[Callable[[Endpoint, str], tls_clients.Visit]]
    parts: list[Part] = field(default_factory=list)

    def serve(self, name: str, configs: Sequence[Config], say: Progress) -> EngineServer:
        """A server with RTL models of the configurations. Raises CheckError if it computes in software."""
        server = self.stack.enter_context(model_server(configs, self.folder / name, say))
        require(not server.is_paced(), f"{server.uri} is a paced device: it computes in software")
        return server

    def conf(self, server: EngineServer, **settings: str) -> Path:
        """A configuration of OpenSSL whose operations fail rather than run in software."""
        counters = str(server.folder / "provider.counters")
        wanted = {**STRICT, "counters": counters, "timeout-ms": str(MODEL_TIMEOUT_MS), **settings}
        return OpensslConf(self.module, server.uri, wanted, weak=True).write(server.folder / "openssl.cnf")

    @contextmanager
    def part(self, name: str, server: EngineServer) -> Iterator[Part]:
        """Runs one part, and requires that the engine did at least a signature and a key agreement for each
        of its handshakes, and that software did nothing. Raises CheckError.
        """
        file = server.folder / "provider.counters"
        part = Part(name, before=server.counters())
        provider = openssl_provider.read_counters(file)
        yield part
        part.after = server.counters()
        provider = openssl_provider.read_counters(file) - provider
        self.parts.append(part)
        part.require_work()
        software = sum(provider.software.values())
        require(software == 0, f"{name}: the provider did {software} operations in software")


def demo_tls_command(
    curves: Annotated[str, typer.Option("--curves", help="Curves, separated by commas.")] = ",".join(CURVES),
    quick: Annotated[
        bool, typer.Option("--quick", help="One connection for each curve and server, and fewer at once.")
    ] = False,
) -> None:
    """TLS servers with keys on the RTL: nginx, HAProxy, openssl s_server; stock clients; counted handshakes.

    Fails if the engine's counters do not show the work.
    """
    names = [name.strip() for name in curves.split(",") if name.strip()]
    unknown = [name for name in names if name not in CURVES]
    if unknown or not names:
        raise UsageError(
            f"no curve {', '.join(unknown)} in the demonstration; there are: {', '.join(CURVES)}"
        )
    missing = [name for name in PACKAGES if not external.is_installed(name)]
    if "openssl" in missing:
        raise UsageError("the openssl command is missing: apt-get install openssl")
    signal.signal(signal.SIGTERM, _interrupt)
    console = Console(highlight=False)
    console.print("[bold]eccel demo-tls[/bold]: TLS with the RTL of the engines behind OpenSSL\n")
    if missing:
        packages = " ".join(PACKAGES[name] for name in missing)
        console.print(
            f"not installed, so skipped: {', '.join(missing)} (apt-get install {packages})", style="yellow"
        )
    try:
        run_demo([CURVES[name] for name in names], console, missing, quick=quick)
    except (LoadError, CommandError) as error:
        raise CheckError(str(error)) from error


def _interrupt(number: int, frame: Any) -> None:
    """SIGTERM ends the demonstration as Ctrl-C does, so that its programs end too."""
    raise KeyboardInterrupt


def run_demo(
    chosen: Sequence[DemoCurve], console: Console, missing: Sequence[str] = (), *, quick: bool = False
) -> list[Part]:
    """The whole demonstration; returns its parts. Raises CheckError, LoadError, CommandError, BuildError."""
    servers = [name for name in ("nginx", "haproxy", "openssl") if name not in missing]
    crowd = "haproxy" in servers and any(each.group == CROWD.group for each in chosen)
    clients = [tls_clients.s_client] + ([] if quick or "curl" in missing else [tls_clients.curl])
    steps = Steps(console, 3 + len(servers) + crowd)
    with tempfile.TemporaryDirectory(prefix="eccel-tls-") as place, ExitStack() as stack:
        with steps.step("programs") as step:
            step.say("the C programs")
            serve_program.build()
            demo = Demo(stack, Path(place), openssl_provider.build(), clients)
            step.note = "the provider and the server"
        with steps.step("engines") as step:
            configs = [find_config(name) for name in dict.fromkeys(each.config for each in chosen)]
            engines = demo.serve("engines", configs, step.say)
            conf = demo.conf(engines)
            step.note = f"models of the RTL of {', '.join(config.name for config in configs)}"
        with steps.step("keys and certificates") as step, demo.part("certificates", engines) as part:
            keys = make_keys(chosen, demo, conf, step, part)
            step.note = f"{len(keys)}, made and signed on the engines by openssl genpkey and req"
        for name in servers:
            with steps.step(f"{SHOWN[name]} as server") as step, demo.part(SHOWN[name], engines) as part:
                visit_server(name, keys, demo, conf, step, part)
        if crowd:
            with steps.step("HAProxy with many clients") as step:
                run_crowd(
                    demo, step, clients=8 if quick else CROWD_CLIENTS, number=8 if quick else CROWD_HANDSHAKES
                )
    console.print()
    console.print(parts_table(demo.parts))
    console.print(counters_table(demo.parts))
    total = sum(part.handshakes for part in demo.parts)
    console.print(f"{total} handshakes, each with a signature of the engine; none in software", style="green")
    console.print(f"all {steps.total} steps passed in {steps.seconds:.0f} s", style="green")
    return demo.parts


SHOWN = {"nginx": "nginx", "haproxy": "HAProxy", "openssl": "openssl s_server"}


def make_keys(
    chosen: Sequence[DemoCurve], demo: Demo, conf: Path, step: Step, part: Part
) -> list[tuple[DemoCurve, TlsKey]]:
    """A key with certificate for each curve, made by the openssl command with the engine."""
    keys = []
    for each in chosen:
        step.say(each.group)
        keys.append((each, make_tls_key(each.group, demo.folder / "keys", conf)))
        part.signatures_needed += 1
    return keys


def visit_server(
    name: str, keys: Sequence[tuple[DemoCurve, TlsKey]], demo: Demo, conf: Path, step: Step, part: Part
) -> None:
    """Start a server with all keys, and connect to each of its ports with all clients and versions."""
    env = clean_environment(OPENSSL_CONF=str(conf))
    ends = [
        (curve, Endpoint(free_port(), key.certificate, key.key, curve.group, curve.versions))
        for curve, key in keys
    ]
    with ExitStack() as stack:
        for service in _services(name, [end for _, end in ends], demo.folder / name, env):
            stack.enter_context(service)
        for curve, end in ends:
            step.say(f"{curve.group}, TLS {' and '.join(curve.versions)}")
            for version in curve.versions:
                for client in demo.clients:
                    client(end, version)
                    part.count(curve.group, version)
    step.note = f"{part.handshakes} handshakes on {len(ends)} curve{'s' * (len(ends) > 1)}"


def _services(name: str, ends: Sequence[Endpoint], folder: Path, env: dict[str, str]) -> list[Service]:
    if name == "nginx":
        return [nginx(ends, folder, env)]
    if name == "haproxy":
        return [haproxy(ends, folder, env, is_async=True)]
    return [s_server(end, folder, env) for end in ends]


def run_crowd(demo: Demo, step: Step, *, clients: int, number: int) -> None:
    """Many handshakes at once through one thread of HAProxy and the threads of one turbo engine."""
    engine = demo.serve("crowd", [find_config(CROWD.config)], step.say)
    conf = demo.conf(engine, blind="no")
    with demo.part("HAProxy, many at once", engine) as part:
        key = make_tls_key(CROWD.group, demo.folder / "crowd-key", conf)
        part.signatures_needed += 1
        end = Endpoint(free_port(), key.certificate, key.key, CROWD.group)
        env = clean_environment(OPENSSL_CONF=str(conf))
        with haproxy([end], demo.folder / "crowd-haproxy", env, is_async=True):
            step.say(f"{clients} clients, {number} handshakes")
            context = client_context(key.certificate, "1.3", CROWD.group)
            found = count_handshakes(end.port, context, clients=clients, seconds=CROWD_SECONDS, number=number)
        require(found.failed == 0, f"{found.failed} handshakes failed: {found.message}")
        require(found.done == number, f"{found.done} of {number} handshakes ended")
        for version, done in found.by_version.items():
            part.count(CROWD.group, version.removeprefix("TLSv"), done)
    step.note = f"{found.done} handshakes of {clients} clients at once, on the {CROWD.config} model"
