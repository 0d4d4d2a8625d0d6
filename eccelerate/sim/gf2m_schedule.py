"""Cycles of the binary engine's ladder, from the pipeline of its field unit: what its structure rests on.

One step of the ladder (model/lopez_dahab.py) is six products. S = (Xs : Zs) is the sum of the step before,
D = (Xd : Zd) the double, E = S or D the one to double now (which one depends on the scalar; both are read
and one is taken), x the base point's, c = b^(1/4):

    Xd' = (c Ze + Xe)^4      Zd' = (Xe Ze)^2
    Zs' = (Xs Zd + Xd Zs)^2  Xs' = x Zs' + (Xs Zd)(Xd Zs)

Every square and sum follows a product: an operation is a product of two registers, a sum with a third, and up
to two squares, and six operations make a step. The unit starts operations in the order given, as soon as the
multiplier is free and operands can be read; `Pipe` says when that is. The step's program is unrolled with new
names in each step, so that a result never overwrites what is still to be read.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Operation:
    """(a * b + c)^(2^squares) to `after`, and the bare product to `plain`.

    a, b, c name registers; a tuple names those of which one is taken by the scalar's bit.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    c: tuple[str, ...] = ()
    squares: int = 0
    plain: str = ""
    after: str = ""


@dataclass(frozen=True)
class Pipe:
    """The field unit as the schedule sees it.

    interval   cycles from the start of a product to the start of the next one
    product    cycles from the last digit's product until the accumulator holds the sum
    reduce     from there until the result register holds it
    third      cycles more that a sum takes: its third operand is registered first
    squares    squarings in one cycle of the stage behind the result register; 0: squares are products
    file       cycles from a result register until the register file gives the value to an operand
    windows    more cycles a result stays readable, in registers behind that one
    """

    interval: int
    product: int = 2
    reduce: int = 1
    third: int = 0
    squares: int = 1
    file: int = 3
    windows: int = 0


def named(digits: int, **options: int) -> Pipe:
    """Hard-wired reduction, a product of so many digits."""
    return Pipe(interval=digits, **options)


def named_staged(digits: int) -> Pipe:
    """The same with all operands registered first (OperandStage of the unit)."""
    return named(digits, product=3, third=1)


def generic(interval: int) -> Pipe:
    """Reduction by a polynomial given at run time: a cycle to move digits of b to their place; squares are
    products.
    """
    return Pipe(interval=interval, product=3, squares=0)


def full_width() -> Pipe:
    """A product a cycle: a cycle for the product, then reduction straight into the operand's register; two
    squarings a cycle; results stay readable until the file has them.
    """
    return Pipe(interval=1, product=1, reduce=0, squares=2, windows=3)


def ladder_step(step: int) -> tuple[Operation, ...]:
    """The six operations of a step, in the order of issue; `step` numbers the names."""

    def old(name: str) -> str:
        return f"{name}.{step}"

    def new(name: str) -> str:
        return f"{name}.{step + 1}"

    xe, ze = (old("xs"), old("xd")), (old("zs"), old("zd"))
    t1, t2, t3 = old("t1"), old("t2"), old("t3")
    return (
        Operation(("c",), ze, xe, 2, after=new("xd")),
        Operation((old("xs"),), (old("zd"),), (t2,), 1, plain=t1, after=new("zs")),
        Operation(xe, ze, squares=1, after=new("zd")),
        Operation((t1,), (t2,), plain=t3),
        Operation(("x",), (new("zs"),), (t3,), after=new("xs")),
        Operation((new("xd"),), (new("zs"),), plain=new("t2")),
    )


def ladder_step_of_products(step: int) -> tuple[Operation, ...]:
    """The same for a unit whose squares are products: ten of them, in the order that leaves the shortest gaps
    between dependent ones.
    """

    def old(name: str) -> str:
        return f"{name}.{step}"

    def new(name: str) -> str:
        return f"{name}.{step + 1}"

    def square(name: str, result: str) -> Operation:
        return Operation((name,), (name,), plain=result)

    xe, ze = (old("xs"), old("xd")), (old("zs"), old("zd"))
    t1, t2, t3, s, e, ee, g = (old(name) for name in ("t1", "t2", "t3", "s", "e", "ee", "g"))
    return (
        Operation(("c",), ze, xe, after=e),
        Operation((old("xs"),), (old("zd"),), (t2,), plain=t1, after=s),
        Operation(xe, ze, plain=g),
        square(e, ee),
        square(s, new("zs")),
        Operation((t1,), (t2,), plain=t3),
        square(ee, new("xd")),
        square(g, new("zd")),
        Operation(("x",), (new("zs"),), (t3,), after=new("xs")),
        Operation((new("xd"),), (new("zs"),), plain=new("t2")),
    )


@dataclass
class Unit:
    """Runs operations in order and notes when each starts.

    A value is readable from the register it leaves the pipeline in until the next one takes its place there
    (and `windows` cycles on), and from the file `file` cycles after it came.
    """

    pipe: Pipe
    starts: list[int] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)
    _last: dict[str, str] = field(default_factory=dict)
    _replaced: dict[str, int] = field(default_factory=dict)
    _post_free: int = 0

    def _readable(self, name: str, cycle: int) -> bool:
        came = self._seen.get(name)
        if came is None:  # loaded before the ladder
            return True
        gone = self._replaced.get(name, cycle + 1) + self.pipe.windows
        return came <= cycle < gone or cycle >= came + self.pipe.file

    def _put(self, place: str, name: str, cycle: int) -> None:
        if place in self._last:
            self._replaced[self._last[place]] = cycle
        self._last[place], self._seen[name] = name, cycle

    def run(self, operation: Operation) -> int:
        """Start the operation; the cycle of its first digit."""
        pipe = self.pipe
        start = self.starts[-1] + pipe.interval if self.starts else 0
        while not self._fits(operation, start):
            start += 1
        self.starts.append(start)
        result = self._result(start)
        if operation.plain:
            self._put("result", operation.plain, result)
        if operation.after:
            passes = max(1, -(-operation.squares // max(1, pipe.squares)))
            self._put("after", operation.after, result + passes + pipe.third)
            self._post_free = result + passes + 2 * pipe.third
        return start

    def _result(self, start: int) -> int:
        last = start + self.pipe.interval - 1
        return last + self.pipe.product + self.pipe.reduce

    def _fits(self, operation: Operation, start: int) -> bool:
        # Operands are loaded a cycle before the first digit, the third one before its sum.
        result = self._result(start)
        operands = all(self._readable(name, start - 1) for name in (*operation.a, *operation.b))
        third = all(self._readable(name, result - 1) for name in operation.c)
        return operands and third and result >= self._post_free


def step_starts(pipe: Pipe, steps: int) -> list[int]:
    """Start of the first operation of each step."""
    program = ladder_step if pipe.squares else ladder_step_of_products
    unit = Unit(pipe)
    return [min([unit.run(each) for each in program(step)]) for step in range(steps)]


def step_cycles(pipe: Pipe) -> float:
    """Cycles of a step once the pipeline has filled."""
    starts = step_starts(pipe, 40)
    return (starts[-1] - starts[10]) / 29


def inversion_cycles(pipe: Pipe, m: int) -> int:
    """Itoh and Tsujii: m - 1 squarings in the stage behind the multiplier, floor(log2(m - 1)) + weight - 1
    products, each waiting for the one before.
    """
    products = (m - 1).bit_length() + (m - 1).bit_count() - 2
    alone = pipe.interval + pipe.product + pipe.reduce + 1
    squarings = -(-(m - 1) // pipe.squares) if pipe.squares else (m - 1) * alone
    return squarings + products * (alone + 1)


RECOVERY_PRODUCTS = 12
"""Products one behind the other from the ladder's end to affine coordinates, inversion apart."""


def multiplication_cycles(pipe: Pipe, m: int, bits: int, around: int = 250) -> int:
    """k * P with `bits` steps; `around`: what job, checks and moves take (the compact engine's, measured)."""
    recovery = RECOVERY_PRODUCTS * (pipe.interval + pipe.product + pipe.reduce + 2)
    return round(bits * step_cycles(pipe)) + inversion_cycles(pipe, m) + recovery + around
