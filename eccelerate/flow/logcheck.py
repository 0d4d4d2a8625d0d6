"""Which synthesis warnings are harmless; every other one fails the build."""

import re

HARMLESS = (
    # Yosys' own Xilinx RAM maps connect buses wider than the cell model (<memory>.<row>.<column>.<port>).
    r"Resizing cell port \S+\.\d+\.\d+\.(ADDR|DI|DO|WE)\w* from \d+ bits to \d+ bits",
    # Printed for old families whether shift registers are wanted or not.
    r"Shift register inference not yet supported for family",
    # About a file of Yosys itself.
    r"Lexer warning: The SystemVerilog keyword .*/share/abc9_map\.v",
    # A carry with a second load: nextpnr leads it out of the chain.
    r"^ABC: Warning: AIG with boxes has internal fanout in 0 complex flops and \d+ carries\.",
    # Registers are kept outside ABC on purpose.
    r"^ABC: Warning: The network is combinational",
)

_WARNING = re.compile(r"(?:^|\s)[Ww]arning: (.*)$")
_LATCH = re.compile(r"^Latch inferred for signal .*$")


def doubtful(log: str) -> list[str]:
    """Warnings in a synthesis log that are not known to be harmless, each once, in order.

    Slang's and Yosys' own are treated alike. 'Driver-driver conflict' and 'Resolved using constant' (Yosys'
    only sign of a lost multiplier) and inferred latches are therefore always among them.
    """
    found: dict[str, None] = {}
    for line in log.splitlines():
        text = line.strip()
        known = any(re.search(pattern, line) for pattern in HARMLESS)
        if (_WARNING.search(line) and not known) or _LATCH.match(text):
            found[text] = None
    return list(found)
