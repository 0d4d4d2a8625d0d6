"""What the flow builds for a configuration, and whether a stored result is for it."""

from __future__ import annotations

from eccelerate.configs.config import Config, ConfigError, rtl_files
from eccelerate.configs.images import images
from eccelerate.configs.tops import require_current
from eccelerate.flow import Design, FlowError


def design_name(config: Config, *, shell: bool) -> str:
    """The name under which the store keeps the results of a configuration, with or without the bus shell."""
    return config.name if shell else f"{config.name}-core"


def config_design(config: Config, *, shell: bool = True, windows: int = 1) -> Design:
    """The design that the flow builds for `config`: with the bus shell, or the bare engine. With several
    windows of the shell (2, 4 or 8) the entropy comes from its port. Raises ConfigError, FlowError.
    """
    if windows not in ((1, 2, 4, 8) if shell else (1,)):
        raise ConfigError(f"{windows} windows: a bus shell has 1, 2, 4 or 8")
    if shell and not config.shell:
        raise FlowError(f"{config.name} has no bus shell yet: add --no-shell where the command has it")
    require_current(config)
    parameters = dict(config.parameters) | (dict(config.shell_parameters) if shell else {})
    several = {"Windows": windows, "ExternalEntropy": 1} if windows > 1 else {}
    parameters |= several
    files = images(config)
    return Design(
        name=design_name(config, shell=shell) + (f"-windows{windows}" if several else ""),
        top=config.shell if shell else config.top,
        files=rtl_files(config, shell=shell),
        params=parameters | {name: path.name for name, path in files.items()},
        data=list(dict.fromkeys(files.values())),
        static_placer=config.binary,
    )
