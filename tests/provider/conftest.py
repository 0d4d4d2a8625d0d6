"""Fixtures: the provider, the stub, the RTL model behind a server, programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eccelerate.external.c_software import build_software
from tests.provider.lab import SLOW, STRICT, Lab, build_program, build_stub, serve


@pytest.fixture(scope="session")
def module() -> Path:
    """The provider as users have it."""
    return build_software("provider") / "provider" / "eccel.so"


@pytest.fixture(scope="session")
def stub_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The provider with the stub in place of libeccel."""
    return build_stub(tmp_path_factory.mktemp("stub"))


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Compiles programs/NAME.c at the first call."""
    folder, built = tmp_path_factory.mktemp("programs"), dict[str, Path]()

    def find(name: str) -> Path:
        if name not in built:
            built[name] = build_program(name, folder)
        return built[name]

    return find


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the RTL of compact-w32."""
    with serve("compact-w32", tmp_path_factory.mktemp("engine")) as uri:
        yield uri


@pytest.fixture(scope="session")
def binary_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the RTL of binary-163-d64."""
    with serve("binary-163-d64", tmp_path_factory.mktemp("binary_engine")) as uri:
        yield uri


@pytest.fixture
def hardware(tmp_path: Path, module: Path, engine: str) -> Lab:
    """A strict configuration with the RTL of compact-w32."""
    return Lab(tmp_path / "hardware", module, engine, {**STRICT, **SLOW})


@pytest.fixture
def binary_hardware(tmp_path: Path, module: Path, binary_engine: str) -> Lab:
    """A strict configuration with the RTL of binary-163-d64."""
    return Lab(tmp_path / "binary_hardware", module, binary_engine, {**STRICT, **SLOW})


@pytest.fixture
def stub(tmp_path: Path, stub_module: Path) -> Lab:
    """A strict configuration with the stub."""
    return Lab(tmp_path / "stub", stub_module, "soft:", STRICT)


@pytest.fixture
def lab(tmp_path: Path, stub_module: Path) -> Callable[..., Lab]:
    """Makes a configuration with the stub: lab(devices, setting=value, ..), _ in a name stands for -."""

    def build(devices: str, **settings: str | int) -> Lab:
        named = {name.replace("_", "-"): value for name, value in settings.items()}
        return Lab(tmp_path / f"lab-{len(list(tmp_path.iterdir()))}", stub_module, devices, named)

    return build
