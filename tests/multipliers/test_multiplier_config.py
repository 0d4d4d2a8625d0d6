"""A multiplier's name says everything about it, and what cannot be built is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.configs.config import ConfigError
from eccelerate.configs.multiplier_config import KINDS, OWN, MultiplierConfig, parse_multiplier
from eccelerate.configs.rtl_reach import reached_files, used_code
from eccelerate.model.solinas import FORMS


def samples() -> list[MultiplierConfig]:
    options = {"levels": "-l4", "word": "-w4", "lanes": "-x4"}
    plain = [f"{kind}-64{options[OWN[kind]] if kind in OWN else ''}" for kind in KINDS]
    solinas = [
        MultiplierConfig(form.bits, "comba", lanes=8, pipelined=True, reduction="solinas", prime=name)
        for name, form in FORMS.items()
    ]
    both = [parse_multiplier(name + end) for name in plain for end in ("", "-pipelined")]
    modular = [
        MultiplierConfig(377, "karatsuba", levels=4, reduction="montgomery", multipliers=multipliers)
        for multipliers in (1, 3)
    ]
    return [*both, *solinas, *modular, parse_multiplier("karatsuba-377-l3-montgomery-bls12-377")]


@pytest.mark.parametrize("config", samples(), ids=lambda config: config.name)
def test_name_says_everything(config: MultiplierConfig) -> None:
    assert parse_multiplier(config.name) == config


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("karatsuba-256", "did you mean karatsuba-256-l0"),
        ("broadcast-256", "word is 1 to 36"),
        ("broadcast-32-w34", "word is 1 to 32"),
        ("broadcast-64-w64", "word is 1 to 36"),
        ("comba-256-x8-solinas3-p-256", "with the reduction montgomery"),
        ("comba-256-x8-solinas", "solinas needs a prime"),
        ("comba-256-x8-montgomery-p-256", "no prime 'P-256' for montgomery"),
        ("comba-256-x0", "lanes is 1 to 256"),
        ("shift-add-32-w3", "no option"),
        ("karatsuba-8-l4", "cannot be halved"),
        ("booth-1", "2 to 4096"),
        ("comba-256-x8-solinas-p-384", "P-384 has 384 bits"),
        ("comba-256-x8-solinas-p-999", "no prime"),
        ("wallace-64", "KIND-BITS"),
    ],
)
def test_what_cannot_be_built_is_refused(name: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        parse_multiplier(name)


def test_a_file_needs_the_files_that_it_names_and_no_others(tmp_path: Path) -> None:
    for room, name, text in (
        ("mul", "eccel_a", "module eccel_a; eccel_a u_self(); eccel_b u_b(); // eccel_d\n /* eccel_d */"),
        ("mul", "eccel_b", "module eccel_b; import eccel_c_pkg::*; endmodule"),
        ("mul", "eccel_c_pkg", "package eccel_c_pkg; endpackage"),
        ("prim", "eccel_d", "module eccel_d; endmodule"),
        ("prim_ecp5", "eccel_b", "module eccel_b; eccel_d u_d(); endmodule"),
    ):
        (tmp_path / room).mkdir(exist_ok=True)
        (tmp_path / room / f"{name}.sv").write_text(text)
    assert [path.stem for path in reached_files("eccel_a", tmp_path)] == ["eccel_c_pkg", "eccel_b", "eccel_a"]
    with pytest.raises(ConfigError, match="no module eccel_x"):
        reached_files("eccel_x", tmp_path)


PACKAGE = """package eccel_p_pkg;
  localparam int A = 3;  // a comment
  localparam int B = A + 1;
  localparam int C = 7;
  function automatic int used(int x);
    return helper(x) + B;
  endfunction
  function automatic int helper(int x);
    return x;
  endfunction
  function automatic int other(int x);
    return C;
  endfunction
endpackage
"""


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("return C", "return C + 1", False),
        ("int C = 7", "int C = 8", False),
        ("a comment", "another one", False),
        ("return x;", "return  x ;", False),
        ("int A = 3", "int A = 4", True),
        ("return x;", "return x + 1;", True),
        ("helper(x) + B", "helper(x)", True),
        ("endpackage", "typedef int t;\nendpackage", True),
    ],
)
def test_of_a_package_only_what_is_used_counts(old: str, new: str, counts: bool, tmp_path: Path) -> None:
    user, package, other = tmp_path / "eccel_u.sv", tmp_path / "eccel_p_pkg.sv", tmp_path / "eccel_q_pkg.sv"
    user.write_text("module eccel_u; localparam int X = eccel_p_pkg::used(2); endmodule")
    package.write_text(PACKAGE)
    assert old in PACKAGE
    other.write_text(PACKAGE.replace(old, new))
    assert (used_code([package, user]) != used_code([other, user])) is counts


def test_the_packages_of_the_family_are_read_function_by_function() -> None:
    files = reached_files("eccel_mul_shift_add")
    package = next(path for path in files if path.stem == "eccel_mul_pkg")
    text = used_code(files)[files.index(package)]
    assert "shift_add_latency" in text and "booth" not in text and "comba" not in text
