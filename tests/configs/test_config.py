"""configs.toml is complete, and a message helps with wrong names and entries."""

from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.configs.binary_config import BinaryConfig
from eccelerate.configs.compact_config import CompactConfig
from eccelerate.configs.config import (
    CONFIG_FILE,
    RTL_DIR,
    ConfigError,
    find_config,
    load_configs,
    parse_configs,
    rtl_files,
)
from eccelerate.configs.images import load_program
from eccelerate.configs.turbo_config import TurboConfig
from eccelerate.curves import find_curve, load_catalogue


def test_the_compact_engines_are_there() -> None:
    digits = {name: config.digit_bits for name, config in load_configs().items()}
    assert digits.items() >= {"compact-w16": 16, "compact-w32": 32, "compact-w64": 64}.items()
    for config in load_configs().values():
        assert config.summary.endswith(".") and config.summary.count(".") == 1, "one sentence"
        assert config.ucode_depth <= 2048
        if isinstance(config, CompactConfig):
            assert config.max_words == (8 if config.device == "up5k" else 17)


def test_a_turbo_engine_has_the_prime_of_its_name() -> None:
    turbo = {name: config for name, config in load_configs().items() if isinstance(config, TurboConfig)}
    assert turbo.keys() >= {"turbo-p256", "turbo-p256-t1", "turbo-p224", "turbo-p384", "turbo-p521"}
    for name, config in turbo.items():
        curve = find_curve(config.curve_name)
        if config.curve:
            assert name == f"turbo-generic{curve.p.bit_length()}" and curve.p != config.prime.p
        else:
            assert config.prime.p == curve.p
            assert name.split("-")[1] == config.prime.name.lower().replace("-", "")
        assert curve.p.bit_length() == config.prime.bits
        assert (config.max_words, config.digit_bits) == (curve.element_words, 0)


def test_a_binary_engine_holds_every_curve_of_its_fields() -> None:
    binary = [config for config in load_configs().values() if isinstance(config, BinaryConfig)]
    names = {f"binary-163-d{digit}" for digit in (16, 32, 64)}
    names |= {"binary-233-d64", "binary-571-d64", "binary-163-fast", "binary-571-fast"}
    assert {config.name for config in binary} >= names
    for config in binary:
        if not config.generic_degree:
            assert config.name.split("-")[1] == str(max(config.polynomials).bit_length() - 1)
        curves = [
            curve
            for curve in load_catalogue().values()
            if curve.kind == "binary"
            and (curve.p in config.polynomials or curve.p_bits <= config.generic_degree)
        ]
        assert max(curve.element_words for curve in curves) == config.max_words


def test_a_generic_binary_engine_has_no_field_of_its_own() -> None:
    config = find_config("binary-generic-d64")
    assert isinstance(config, BinaryConfig) and not config.polynomials and config.generic_degree == 255
    assert config.curve_name == "B-233" and not find_config("binary-163-d64").generic_degree


def test_a_program_that_does_not_fit_is_refused() -> None:
    small = replace(find_config("compact-w16-up5k"), parameters=(("DigitBits", 16), ("UcodeDepth", 512)))
    with pytest.raises(ConfigError, match=r"words, and compact-w16-up5k holds 512: raise its UcodeDepth"):
        load_program(small)


def test_unknown_name_is_answered_with_close_ones() -> None:
    with pytest.raises(ConfigError, match="compact-w32"):
        find_config("compact-32")
    with pytest.raises(ConfigError, match="compact-w16, compact-w32"):
        find_config("zzz")


def test_missing_entry_is_named() -> None:
    text = CONFIG_FILE.read_text().replace('program = "compact"\n', "")
    with pytest.raises(ConfigError, match="program"):
        parse_configs(text)


def test_an_entry_of_another_kind_is_refused() -> None:
    text = CONFIG_FILE.read_text().replace('program = "compact"\n', 'program = "compact"\nkoblitz = true\n')
    with pytest.raises(ConfigError, match="ecp_compact and has no koblitz"):
        parse_configs(text)
    with pytest.raises(ConfigError, match="one of ecp_compact, ecp_turbo"):
        parse_configs('[mine]\nengine = "ecp_other"\n')


def test_hedged_draws_and_a_program_that_binds_nonces_belong_together() -> None:
    text = CONFIG_FILE.read_text()
    assert find_config("compact-w32-hedged").hedged and not find_config("compact-w32").hedged
    for old, new in (("Hedged = 1, ", ""), ('"compact_hedged"', '"compact"')):
        assert old in text
        with pytest.raises(ConfigError, match="belong together"):
            parse_configs(text.replace(old, new))


def test_files_come_in_level_order_with_packages_first() -> None:
    files = rtl_files(find_config("compact-w32"), shell=True)
    rooms = [str(path.parent.relative_to(RTL_DIR)).removesuffix("/gen") for path in files]
    assert list(dict.fromkeys(rooms)) == ["isa", "prim", "gfp", "engine", "engines/compact", "bus", "top"]
    for room in set(rooms):
        packages = [path.stem.endswith("_pkg") for path, own in zip(files, rooms, strict=True) if own == room]
        assert packages == sorted(packages, reverse=True)
    assert len({path.name for path in files}) == len(files)
    assert not any(Path("prim_ecp5") in path.parents for path in files)
