"""The synthesis warnings that are harmless. Every other warning fails the build."""

import re

HARMLESS = (
    # Yosys' own Xilinx RAM maps connect buses wider than the cell model (<memory>.<row>.<column>.<port>).
    r"Resizing cell port \S+\.\d+\.\d+\.(ADDR|DI|DO|WE)\w* from \d+ bits to \d+ bits",
    # Yosys prints this for old families, also if no shift registers are requested.
    r"Shift register inference not yet supported for family",
    # This is about a file of Yosys itself.
    r"Lexer warning: The SystemVerilog keyword .*/share/abc9_map\.v",
    # A carry drives a second load: nextpnr routes it out of the chain.
    r"^ABC: Warning: AIG with boxes has internal fanout in 0 complex flops and \d+ carries\.",
    # The flow keeps registers outside ABC on purpose.
    r"^ABC: Warning: The network is combinational",
)

_WARNING = re.compile(r"(?:^|\s)[Ww]arning: (.*)$")
_LATCH = re.compile(r"^Latch inferred for signal .*$")


def doubtful(log: str) -> list[str]:
    """Warnings in a synthesis log that are not known to be harmless: each one once, in order.

    Warnings of Slang and of Yosys are treated alike. Inferred latches, 'Driver-driver conflict' and 'Resolved
    using constant' (the only sign by which Yosys shows a lost multiplier) are therefore always among them.
    """
    found: dict[str, None] = {}
    for line in log.splitlines():
        text = line.strip()
        known = any(re.search(pattern, line) for pattern in HARMLESS)
        if (_WARNING.search(line) and not known) or _LATCH.match(text):
            found[text] = None
    return list(found)
