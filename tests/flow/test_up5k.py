"""The smallest configuration with its bus shell, placed on an iCE40 UP5K, leaves nearly half of the logic
free.
"""

import pytest

from eccelerate.configs.config import find_config
from eccelerate.explore.designs import config_design
from eccelerate.flow import place

CELLS = 5280


@pytest.mark.soak
def test_up5k_keeps_nearly_half_of_its_logic_cells() -> None:
    config = find_config("compact-w16-up5k")
    assert config.device == "up5k"
    result = place(config_design(config), config.device, (1,))
    assert result.placed["lut4"] <= 0.51 * CELLS  # logic cells: a LUT, a flip-flop, or both
    assert result.available["ICESTORM_LC"] == CELLS
    # It uses all small block RAMs, and half of the large ones for the mailbox.

    assert result.placed["bram"] <= result.available["ICESTORM_RAM"] == 30
    assert (result.total["ICESTORM_SPRAM"], result.available["ICESTORM_SPRAM"]) == (2, 4)
    assert (result.placed["mult"], result.available["ICESTORM_DSP"]) == (3, 8)
    assert result.worst_mhz > 25
