"""Every file that is written from the stores: the pages with their blocks, and the pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from eccelerate.configs.config import ROOT
from eccelerate.explore.figures import Stores
from eccelerate.explore.pages import (
    attack_page,
    board_figures,
    campaigns,
    catalogue,
    chart,
    engines,
    literature,
    marnane_page,
    multiplier_page,
    partition_page,
    placements,
    selection,
    study_page,
    system_chart,
    system_page,
)
from eccelerate.explore.pages.marked_blocks import Block, filled

RESULTS = ROOT / "docs" / "results"
THEORY = ROOT / "docs" / "theory"
IMAGES = ROOT / "docs" / "img"
PICTURES: Mapping[Path, Callable[[Stores], str]] = {
    IMAGES / "rate_area.svg": chart.picture,
    IMAGES / "system_rates.svg": system_chart.picture,
    IMAGES / "offload.svg": partition_page.offload_svg,
    IMAGES / "multipliers.svg": multiplier_page.picture,
    IMAGES / "study.svg": study_page.picture,
}

PAGES: Mapping[Path, Mapping[str, Block]] = {
    ROOT / "README.md": {"best": literature.best},
    RESULTS / "README.md": {"earlier": selection.earlier},
    RESULTS / "configurations.md": {
        "configurations": catalogue.configurations,
        "comparison_configurations": catalogue.comparison_configurations,
    },
    RESULTS / "curves.md": {"curves": catalogue.curves},
    RESULTS / "compact.md": {"compact": engines.compact},
    RESULTS / "throughput.md": {"turbo": engines.turbo, "mixed_clusters": engines.mixed_clusters},
    RESULTS / "binary.md": {"binary": engines.binary},
    RESULTS / "jobs.md": {"jobs": engines.jobs},
    RESULTS / "comparisons.md": {
        "sources": literature.sources,
        "area_time": literature.area_time,
        "throughput": literature.throughput,
        "curve_rates": literature.curve_rates,
    },
    RESULTS / "campaigns.md": {"campaigns": campaigns.campaigns},
    THEORY / "binary_programs.md": {"programs": engines.programs},
    THEORY / "ecp_binary.md": {"divider": engines.divider},
    THEORY / "gf2m.md": {"full_width": engines.full_width},
    THEORY / "dispatch.md": {"nine_engines": placements.of("turbo-p256-x9", "turbo-p224-x9")},
    THEORY / "turbo.md": {
        "placements": placements.of("turbo-p256", "turbo-p256-k12"),
        "karatsuba": placements.beside("turbo-p256", "turbo-p256-k12"),
    },
    ROOT / "docs" / "compare.md": {
        "source": marnane_page.source,
        "paper": marnane_page.paper,
        "placed": marnane_page.placed,
        "energy": marnane_page.energy,
        "open_cores": marnane_page.open_cores,
    },
    ROOT / "docs" / "multipliers.md": {
        "targets": multiplier_page.targets,
        "choices": multiplier_page.choices,
        "paper": multiplier_page.paper,
        "state": multiplier_page.state,
    },
    RESULTS / "multipliers.md": {
        "ecp5": multiplier_page.on_device("ecp5-85f-6"),
        "virtex2": multiplier_page.on_device("xc2v"),
        "nexus": multiplier_page.on_device("lifcl-40"),
        "ice40": multiplier_page.on_device("up5k"),
    },
    ROOT / "docs" / "study.md": {
        "targets": study_page.targets,
        "paper": study_page.paper,
        "best": study_page.best,
        "ladder": study_page.ladder,
        "constant": study_page.constant,
        "variants": study_page.all_variants,
        "state": study_page.state,
    },
    ROOT / "docs" / "security.md": {
        "faults": attack_page.faults,
        "leaks": attack_page.leaks,
        "costs": attack_page.costs,
    },
    ROOT / "docs" / "boards.md": {"boards": board_figures.boards},
    ROOT / "docs" / "partition.md": {"plans": partition_page.plans, "question": partition_page.question},
    ROOT / "docs" / "system.md": {
        "rates": system_page.rates,
        "paper": system_page.paper,
        "costs": system_page.costs,
        "handshakes": system_page.handshakes,
        "targets": system_page.targets,
        "machine": system_page.machine,
    },
}


def differing(
    stores: Stores,
    pages: Mapping[Path, Mapping[str, Block]] = PAGES,
    pictures: Mapping[Path, Callable[[Stores], str]] = PICTURES,
) -> dict[Path, str]:
    """The files that differ from the stores, with the text that they should have. Raises BlockError."""
    texts = {page: filled(page.read_text(), blocks, stores) for page, blocks in pages.items()}
    texts |= {file: draw(stores) for file, draw in pictures.items()}
    return {file: text for file, text in texts.items() if not file.exists() or file.read_text() != text}
