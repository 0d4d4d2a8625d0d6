"""`python -m eccel_maths SCRIPT ARGUMENT..`: runs a script whose pow(a, e, m) goes to the engine.

SPDX-License-Identifier: Apache-2.0
"""

import runpy
import sys
from pathlib import Path

from eccel_maths.builtin_pow import accelerated

if len(sys.argv) < 2:
    sys.exit("usage: python -m eccel_maths SCRIPT [ARGUMENT..]")
del sys.argv[0]
sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
with accelerated():
    runpy.run_path(sys.argv[0], run_name="__main__")
