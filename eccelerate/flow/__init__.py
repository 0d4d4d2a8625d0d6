"""Synthesis, placement, area and result records: everything that calls an FPGA tool.

Entry points: :func:`synth.synthesise`, :func:`pnr.place`, :class:`store.Store`, :func:`area.check_unit`,
:func:`bundle.write_bundle`.
"""

from eccelerate.flow.design import Design
from eccelerate.flow.devices import Device, device, devices
from eccelerate.flow.errors import FlowError
from eccelerate.flow.pnr import PlaceResult, place
from eccelerate.flow.store import Store
from eccelerate.flow.synth import SynthResult, synthesise

__all__ = [
    "Design",
    "Device",
    "FlowError",
    "PlaceResult",
    "Store",
    "SynthResult",
    "device",
    "devices",
    "place",
    "synthesise",
]
