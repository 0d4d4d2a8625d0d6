"""A model as a folder that libeccel opens: the library, the images that it reads, and a description."""

from __future__ import annotations

import shutil
from pathlib import Path

from eccelerate.configs.config import Config
from eccelerate.configs.tops import require_current
from eccelerate.rtlsim.verilate import ModelSource, build_model

LIBRARY = "libengine.so"
DESCRIPTION = "model.txt"
FORMAT = "eccel-model 1"


def write_model(config: Config, folder: Path, clock_khz: int = 0) -> list[Path]:
    """Writes the folder and returns its files. Files of the same names are replaced.

    clock_khz: clock of the engine that the user is told, 0 if it is not known.
    Raises BuildError, ConfigError.
    """
    require_current(config)
    source = ModelSource.of(config)
    library = build_model(source)
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / LIBRARY, folder / DESCRIPTION]
    part = folder / f"{LIBRARY}.part"  # a process may have the library open: it keeps the old file
    shutil.copy(library, part)
    part.rename(files[0])
    files[1].write_text(f"{FORMAT}\nname {config.name}\nclock_khz {clock_khz}\n")
    for name, path in source.images:
        shutil.copy(path, folder / name)
        files.append(folder / name)
    return files
