"""Reads the response files of NIST's validation programs, which two test packages carry."""

from __future__ import annotations

from importlib import resources


def records(package: str, name: str) -> list[tuple[str, dict[str, str]]]:
    """(section, fields) of each group of lines `NAME = value`; a group ends with an empty line, and a section
    such as [ENCRYPT] holds for all groups after it.
    """
    section, fields, found = "", dict[str, str](), []
    for line in [*resources.files(package).joinpath(name).read_text().splitlines(), ""]:
        text = line.strip()
        if text.startswith("["):
            section = text.strip("[]")
        elif " = " in text:
            key, value = text.split(" = ")
            fields[key] = value
        elif not text and fields:
            found.append((section, fields))
            fields = {}
    assert found, f"{name} of {package} has no records"
    return found
