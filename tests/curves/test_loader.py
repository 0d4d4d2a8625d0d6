"""Finding curves by name, and reading a user's curve file."""

from pathlib import Path

import pytest

from eccelerate.curves import (
    CurveFileError,
    CurveNotFoundError,
    find_curve,
    load_catalogue,
    load_curve_file,
    validate,
)

TINY = {"p": "251", "a": "-3", "b": "63", "G": "[0, 0]", "n": "277", "h": "1"}


def write(path: Path, **changes: str | None) -> Path:
    """A curve file with the keys of TINY. A change to None removes a key."""
    lines = {**TINY, **changes}
    path.write_text("".join(f"{key} = {value}\n" for key, value in lines.items() if value is not None))
    return path


@pytest.mark.parametrize("name", ["P-256", "p256", "P_256", "secp256r1", "PRIME256V1", "nistp256"])
def test_names_and_aliases(name: str) -> None:
    assert find_curve(name).name == "P-256"


def test_every_name_and_alias_is_unique() -> None:
    for curve in load_catalogue().values():
        for name in (curve.name, *curve.aliases):
            assert find_curve(name) is curve


def test_unknown_name_gets_close_matches() -> None:
    with pytest.raises(CurveNotFoundError, match=r"secp256k2.*secp256k1.*\.toml"):
        find_curve("secp256k2")
    with pytest.raises(CurveNotFoundError, match=r"known are P-192"):
        find_curve("?")


def test_the_catalogue_cannot_be_changed_through_its_copy() -> None:
    load_catalogue().clear()
    assert "P-256" in load_catalogue()


def test_user_file_in_every_number_format(tmp_path: Path) -> None:
    curve = find_curve("P-256")
    grouped = f"0x{curve.b:064x}"
    grouped = " ".join(grouped[i : i + 8] for i in range(0, len(grouped), 8))
    path = write(
        tmp_path / "Mine.TOML",
        p=f'"{curve.p:_}"',
        b=f'"{grouped}"',
        G=f'["{curve.gx:#x}", {curve.gy}]',
        n=f'"{curve.n}"',
    )
    mine = find_curve(path)
    assert mine.name == "Mine" and mine.kind == "weierstrass" and mine.a_is_minus_3
    assert (mine.p, mine.a, mine.b, mine.generator) == (curve.p, curve.a, curve.b, curve.generator)
    assert validate(mine) == []


def test_user_file_of_other_kinds(tmp_path: Path) -> None:
    path = write(tmp_path / "m.toml", name='"m"', kind='"montgomery"', a="486662", b="1")
    assert load_curve_file(path).kind == "montgomery"
    path = write(tmp_path / "b.toml", kind='"binary"', p=None, polynomial="[5, 2, 0]", a="1")
    assert (load_curve_file(path).p, load_curve_file(path).p_bits) == (0b100101, 5)


@pytest.mark.parametrize("key", ["p", "a", "b", "G", "n", "h"])
def test_missing_key(tmp_path: Path, key: str) -> None:
    with pytest.raises(CurveFileError, match=rf"c\.toml: missing {key}$"):
        load_curve_file(write(tmp_path / "c.toml", **{key: None}))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"p": '"0xZZ"'}, "p has to be an integer or a string .* not '0xZZ'"),
        ({"p": "1.5"}, "p has to be an integer .* not 1.5"),
        ({"p": "true"}, "p has to be an integer .* not True"),
        ({"n": "-7"}, "n must not be negative"),
        ({"G": "[1]"}, r"G has to be a list of two integers"),
        ({"G": '"0x04"'}, r"G has to be a list of two integers"),
        ({"G": '[1, "y"]'}, r"G\[1\] has to be an integer"),
        ({"q": "1"}, "unknown q; known are G, a, aliases, b,"),
        ({"kind": '"edwards"'}, "kind has to be one of weierstrass, montgomery, binary, not 'edwards'"),
        ({"kind": '"binary"'}, "missing polynomial"),
        ({"name": "5"}, "name has to be a string"),
        ({"aliases": '"x"'}, "aliases has to be a list of strings"),
        ({"montgomery": '"curve25519"'}, "montgomery has to be"),
        ({"p": "= 5"}, "not a readable TOML file"),
    ],
)
def test_garbage(tmp_path: Path, changes: dict[str, str], text: str) -> None:
    with pytest.raises(CurveFileError, match=text):
        load_curve_file(write(tmp_path / "c.toml", **changes))


@pytest.mark.parametrize("exponents", ["[]", "[5, 5, 0]", "[100000, 0]", '"x"'])
def test_garbage_polynomial(tmp_path: Path, exponents: str) -> None:
    path = write(tmp_path / "c.toml", kind='"binary"', p=None, a="1", polynomial=exponents)
    with pytest.raises(CurveFileError, match="polynomial"):
        load_curve_file(path)


def test_no_such_file() -> None:
    with pytest.raises(CurveFileError, match="no such file"):
        find_curve("nowhere/curve.toml")


def test_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CurveFileError, match="not a readable TOML file"):
        load_curve_file(tmp_path / "c.toml")
