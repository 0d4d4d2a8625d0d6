"""The catalogue of curves as a table of the C library."""

from __future__ import annotations

from collections.abc import Sequence

from eccelerate.curves import load_catalogue
from eccelerate.curves.curve import Curve
from eccelerate.driver.packet import split_words

TABLE = "sw/driver/gen/curves.c"
COMMAND = "eccel generate curves"
KINDS = {"weierstrass": "ECCEL_WEIERSTRASS", "montgomery": "ECCEL_MONTGOMERY", "binary": "ECCEL_BINARY"}
WORDS_IN_LINE = 9
HEAD = f"""/* Generated from eccelerate/curves/catalogue.toml by `{COMMAND}`: do not edit.
   SPDX-License-Identifier: Apache-2.0

   The curves of the catalogue, with numbers in words, least significant word first. The polynomial of a
   binary curve is without its leading term. */
#include "curve.h"
"""


def identifier(name: str) -> str:
    """The name of a curve as a part of a C identifier."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def words_text(numbers: Sequence[int], width: int) -> list[str]:
    """Lines of an array: numbers of `width` words, one after the other."""
    lines = []
    for value in numbers:
        words = [f"0x{word:08x}" for word in split_words(value, width)]
        lines += [
            f"    {', '.join(words[at : at + WORDS_IN_LINE])}," for at in range(0, len(words), WORDS_IN_LINE)
        ]
    return lines


def _numbers(curve: Curve) -> list[str]:
    """The numbers of a curve, one after the other."""
    p = curve.p ^ curve.field_size if curve.kind == "binary" else curve.p
    numbers = (p, curve.a, curve.b, curve.gx, curve.gy, curve.n)
    head = f"static const uint32_t curve_{identifier(curve.name)}[] = {{"
    return [head, *words_text(numbers, curve.element_words), "};"]


def _entry(curve: Curve) -> list[str]:
    """The element of the table. Its aliases end with a null pointer."""
    names, width = f"curve_{identifier(curve.name)}", curve.element_words
    aliases = ", ".join([*(f'"{alias}"' for alias in curve.aliases), "NULL"])
    places = [f".{name} = {names} + {i * width}" for i, name in enumerate(("p", "a", "b", "gx", "gy", "n"))]
    return [
        "    {",
        f'        .name = "{curve.name}",',
        f"        .aliases = (const char *const[]){{{aliases}}},",
        f"        .kind = {KINDS[curve.kind]}, .words = {width}, .p_bits = {curve.p_bits},",
        f"        .n_bits = {curve.n.bit_length()}, .order_bits = {curve.order_bits}, .cofactor = {curve.h},",
        f"        {', '.join(places[:3])},",
        f"        {', '.join(places[3:])},",
        "    },",
    ]


def outputs() -> dict[str, str]:
    """Generated files: the content by path relative to the repository root."""
    curves = list(load_catalogue().values())
    lines = [HEAD]
    for curve in curves:
        lines += [*_numbers(curve), ""]
    lines += ["const struct eccel_curve catalogue[] = {"]
    for curve in curves:
        lines += _entry(curve)
    lines += ["};", "", f"const size_t catalogue_size = {len(curves)};"]
    return {TABLE: "\n".join(lines) + "\n"}
