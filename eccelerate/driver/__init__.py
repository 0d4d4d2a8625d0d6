"""Jobs as Python calls and their packets. Knows no simulator, and registers only in `register_transport`."""

from eccelerate.driver.engine import Engine, JobError, JobResult
from eccelerate.driver.packet import PacketError, Request, Response
from eccelerate.driver.pool import Pool
from eccelerate.driver.transport import Reply, StreamTransport, Transport, TransportError

__all__ = [
    "Engine",
    "JobError",
    "JobResult",
    "PacketError",
    "Pool",
    "Reply",
    "Request",
    "Response",
    "StreamTransport",
    "Transport",
    "TransportError",
]
