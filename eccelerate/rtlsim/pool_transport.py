"""A cluster of several configurations without RTL: each pool is a transport, and packets are routed as by
`eccel_dispatch`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eccelerate.driver.packet import Response
from eccelerate.driver.transport import Reply, StreamTransport, Transport
from eccelerate.model.jobs import IDS, Op, Status


class PoolTransport:
    """Carries each packet to the pool that its curve id names, and ZEROISE to all pools.

    pools: one transport for each pool, because all engines of a pool have the same state. widths: a width in
    words that each pool accepts; a ZEROISE cannot have one that suits all.
    """

    def __init__(self, pools: Sequence[Transport], widths: Sequence[int]) -> None:
        self.pools = list(zip(pools, widths, strict=True))

    def exchange(self, words: list[int]) -> Reply:
        """The response to one packet; BAD_CURVE for a pool that does not exist. It has no cycles, because the
        dispatcher's are not known. Raises TransportError.
        """
        return Reply(self._answer(words).words)

    def _answer(self, words: list[int]) -> Reply:
        op, number = words[0] & 0xFF, self.pool_of(words)
        if op == Op.ZEROISE:
            replies = [pool.exchange(_resized(words, width)) for pool, width in self.pools]
            return max(replies, key=lambda reply: reply.words[0] & 0xFF)
        if number >= len(self.pools):
            return Reply(Response(Status.BAD_CURVE, op, words[0] >> 16).words(0))
        return self.pools[number][0].exchange(words)

    def stream(
        self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None
    ) -> list[Reply]:
        """Responses to packets, in order for each pool. A ZEROISE runs after all packets before it, and
        before all packets after it. Raises TransportError.
        """
        replies: list[Reply] = []
        waiting: list[list[Sequence[int]]] = [[] for _ in self.pools]

        def settle() -> None:
            for (pool, _), share in zip(self.pools, waiting, strict=True):
                if isinstance(pool, StreamTransport):
                    replies.extend(pool.stream(share))
                else:
                    replies.extend(pool.exchange(list(words)) for words in share)
                share.clear()
                if progress:
                    progress(len(replies))

        for words in packets:
            number = self.pool_of(words)
            if words[0] & 0xFF == Op.ZEROISE or number >= len(self.pools):
                settle()
                replies.append(self.exchange(list(words)))
            else:
                waiting[number].append(words)
        settle()
        return replies

    @staticmethod
    def pool_of(words: Sequence[int]) -> int:
        """The pool that the curve id of a packet names."""
        return (words[0] >> 8 & 0xFF) // IDS


def _resized(words: Sequence[int], width: int) -> list[int]:
    """The packet with another width in its header."""
    if len(words) < 2:
        return list(words)
    return [words[0], words[1] & 0xFFFFFF | width << 24, *words[2:]]
