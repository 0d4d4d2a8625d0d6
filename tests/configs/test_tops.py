"""Peripherals and clusters: pools of a cluster, generated modules, and the time that a job may take."""

from __future__ import annotations

import re

import pytest

from eccelerate.cli import generate
from eccelerate.configs import tops
from eccelerate.configs.cluster_config import ClusterConfig
from eccelerate.configs.config import (
    CONFIG_FILE,
    ConfigError,
    find_config,
    load_configs,
    parse_configs,
    rtl_files,
)
from eccelerate.configs.images import images, load_program
from eccelerate.configs.tops import (
    GEN_DIR,
    declared_parameters,
    engine_parameters,
    job_bits,
    modules,
    outputs,
    require_current,
)
from eccelerate.curves import find_curve
from eccelerate.model.jobs import Op
from eccelerate.rtlsim.backend import open_engine

CLUSTERS = [config for config in load_configs().values() if isinstance(config, ClusterConfig)]
P256_B163 = find_config("cluster-p256-b163")


def test_modules_are_as_the_generator_writes_them() -> None:
    assert {path: path.read_text() for path in GEN_DIR.glob("*.sv")} == outputs()


def test_a_cluster_that_was_not_generated_says_how(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(tops, "GEN_DIR", tmp_path)
    with pytest.raises(ConfigError, match=r"run eccel generate tops"):
        require_current(P256_B163)
    generate.top_modules()
    require_current(P256_B163)
    (tmp_path / f"{P256_B163.top}.sv").write_text("module other;\n")
    with pytest.raises(ConfigError):
        require_current(P256_B163)


def test_pools_are_runs_of_equal_engines() -> None:
    assert [(member.name, number) for member, number in P256_B163.pools] == [
        ("turbo-p256", 2), ("binary-163-d64", 1), ("compact-w32", 1),
    ]  # fmt: skip
    assert (P256_B163.engines, P256_B163.at_once, P256_B163.max_words) == (4, 10, 17)
    assert find_config("turbo-p256-x9").pools == ((find_config("turbo-p256"), 9),)
    single = find_config("turbo-p256")
    assert single.pools == ((single, 1),)


@pytest.mark.parametrize("cluster", CLUSTERS, ids=lambda cluster: cluster.name)
def test_a_cluster_has_the_rooms_of_its_engines_in_their_order(cluster: ClusterConfig) -> None:
    *rooms, last = cluster.rooms
    needed = [member.rooms for member, _ in cluster.members]
    assert last == "dispatch" and set(rooms) == set().union(*needed)
    for each in needed:
        assert [room for room in rooms if room in each] == list(each)


def test_a_cluster_of_one_kind_stands_for_its_engine() -> None:
    """Images, their names, program and curve are those of the engine's configuration."""
    cluster, single = find_config("turbo-p256-x9"), find_config("turbo-p256")
    assert (cluster.single, single.single, P256_B163.single) == (single, single, None)
    assert images(cluster) == images(single) and load_program(cluster) == load_program(single)
    assert (cluster.engines, cluster.at_once, cluster.curve_name) == (9, 36, "P-256")
    with pytest.raises(ConfigError, match="has no program of its own"):
        load_program(P256_B163)


@pytest.mark.parametrize("name", ["compact-w32", "turbo-p256", "binary-163-d64"])
def test_a_peripheral_has_the_parameters_of_its_engine(name: str) -> None:
    config = find_config(name)
    (text,) = modules(config).values()
    head, shell, engine = re.split(r"\n  (?=eccel_)", text)
    for declared in declared_parameters(config):
        assert f"    {declared},\n" in head
        parameter = declared.split(" = ")[0].split()[-1]
        assert f".{parameter}({parameter})" in engine
    assert {parameter for parameter, _ in config.parameters} <= set(re.findall(r"\w+", head))
    assert shell.startswith("eccel_axil_shell #(") and engine.startswith(f"{config.top} #(")


@pytest.mark.parametrize("config", CLUSTERS, ids=lambda config: config.name)
def test_engines_have_parameters_and_images_of_their_own_configuration(config) -> None:
    found = images(config)
    for member, *names in config.image_parameters:
        set_ = engine_parameters(member, *names)
        assert {name: int(set_[name]) for name, _ in member.parameters} == dict(member.parameters)
        assert found[set_["UcodeFile"]] == load_program(member).hex
        assert ("CombFile" in set_) == (member.comb is not None)
    files = rtl_files(config, shell=True)
    assert all(path.is_file() for path in files) and len({path.name for path in files}) == len(files)


def _configs(engines: str, more: str = "") -> str:
    return f'{CONFIG_FILE.read_text()}\n[mine]\nengines = {engines}\nsummary = "Mine."\n{more}'


@pytest.mark.parametrize(
    ("engines", "more", "said"),
    [
        ("[]", "", "list of 1 to 16"),
        ('"turbo-p256"', "", "list of 1 to 16"),
        (str(["turbo-p256"] * 17), "", "list of 1 to 16"),
        ('["turbo-p257"]', "", "'turbo-p257' is no configuration"),
        ('["turbo-p256-x9"]', "", "'turbo-p256-x9' is no configuration of a single engine"),
        ('["cluster-small"]', "", "'cluster-small' is no configuration"),
        ('["binary-163-affine"]', "", "single engine in constant time"),
        ('["turbo-p256", "compact-w16", "turbo-p256"]', "", "list the engines of one configuration in a row"),
        (
            str([f"turbo-p{n}" for n in (224, 256, 384, 521)] + ["compact-w16"]),
            "",
            "4 configurations at most",
        ),
        ('["compact-w16"]', "parameters = { Engines = 2 }\n", "has no parameters"),
    ],
)
def test_a_wrong_list_of_engines_is_refused(engines: str, more: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_configs(_configs(engines, more))


def test_members_may_stand_behind_their_cluster() -> None:
    text = '[mine]\nengines = ["compact-w16", "compact-w16"]\nsummary = "Mine."\n' + CONFIG_FILE.read_text()
    assert parse_configs(text)["mine"].members == ((find_config("compact-w16"), 2),)


def test_the_longest_job_ends_before_its_engine_is_given_up() -> None:
    """This is the slowest engine on the widest field, with points that force it to do both multiplications in
    sequence.
    """
    config, curve = find_config("compact-w16"), find_curve("P-521")
    engine = open_engine(config, "iss")
    engine.load_curve(curve)
    job = engine.submit(Op.DOUBLE_MUL, (curve.n - 1, curve.n - 2, *curve.generator)).check()
    clusters = [cluster for cluster in CLUSTERS if config in [member for member, _ in cluster.members]]
    assert clusters
    for cluster in clusters:
        assert 1.2 * (job.cycles or 0) < 14 << job_bits(cluster)
