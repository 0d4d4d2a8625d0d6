"""The model of Ascon against the published vectors of NIST SP 800-232."""

from __future__ import annotations

from eccelerate.model.ascon import HedgeSponge, hash256

PUBLISHED = {
    0: "0b3be5850f2f6b98caf29f8fdea89b64a1fa70aa249b8f839bd53baa304d92b2",
    1: "0728621035af3ed2bca03bf6fde900f9456f5330e4b5ee23e7f6a1e70291bc80",
    7: "3e4d273ba69b3b9c53216107e88b75cdbeedbcbf8faf0219c3928ab62b116577",
    8: "b88e497ae8e6fb641b87ef622eb8f2fca0ed95383f7ffebe167acf1099ba764f",
    32: "bd9d3d60a66b53868eab2a5c74539a518a1f60f01eb176c60e43dee81680b33e",
}
"""Ascon-Hash256 of the bytes 0, 1, 2, ... by their number: crypto_hash/asconhash256/LWC_HASH_KAT_128_256.txt
of the designers' reference implementation, github.com/ascon/ascon-c.
"""


def test_the_permutation_gives_the_published_hashes() -> None:
    assert {n: hash256(bytes(range(n))).hex() for n in PUBLISHED} == PUBLISHED


def test_a_draw_depends_on_everything_that_was_taken_before() -> None:
    """On each word of entropy and each old word, however long ago; equal words give equal draws."""
    taken = [(1, 2), (3, 4), (5, 6)]

    def last(words: list[tuple[int, int]]) -> int:
        sponge = HedgeSponge()
        return [sponge.draw(*each) for each in words][-1]

    assert last(taken) == last(taken)
    changed = [[(e ^ (i == at), o) for i, (e, o) in enumerate(taken)] for at in range(3)]
    changed += [[(e, o ^ (i == at) << 31) for i, (e, o) in enumerate(taken)] for at in range(3)]
    assert len({last(words) for words in [taken, *changed]}) == 7
