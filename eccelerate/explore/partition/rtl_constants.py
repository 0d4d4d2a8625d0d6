"""Constants of the RTL: latencies and intervals as the packages of rtl/ compute them, read with slang."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyslang import Bag, SourceManager
from pyslang.ast import Compilation, CompilationOptions
from pyslang.syntax import SyntaxTree

from eccelerate.configs.rtl_reach import reached_files

_KNOWN: dict[str, int] = {}


def rtl_constants(expressions: Sequence[str], packages: Sequence[str]) -> Mapping[str, int]:
    """The value of each expression, such as `eccel_mul_pkg::latency(4, 256, 0, 32, 1, 1)`.

    packages: those that the expressions name. Raises ValueError if one has no value.
    """
    new = [text for text in dict.fromkeys(expressions) if text not in _KNOWN]
    if new:
        _KNOWN.update(_evaluated(new, packages))
    return {text: _KNOWN[text] for text in expressions}


def _evaluated(expressions: Sequence[str], packages: Sequence[str]) -> dict[str, int]:
    files = list(dict.fromkeys(path for package in packages for path in reached_files(package)))
    options = CompilationOptions()
    options.topModules = {"constants"}
    bag = Bag()
    bag.compilationOptions = options
    compilation = Compilation(bag)
    sources = SourceManager()
    for path in files:
        compilation.addSyntaxTree(SyntaxTree.fromFile(str(path), sources))
    body = "".join(f"localparam int C{i} = {text};\n" for i, text in enumerate(expressions))
    compilation.addSyntaxTree(SyntaxTree.fromText(f"module constants;\n{body}endmodule\n", sources))
    (top,) = compilation.getRoot().topInstances
    found = {}
    for i, text in enumerate(expressions):
        symbol = top.body.find(f"C{i}")
        value = getattr(symbol, "value", None)
        try:
            found[text] = int(str(value))
        except ValueError as error:
            raise ValueError(f"{text} has no value") from error
    return found
