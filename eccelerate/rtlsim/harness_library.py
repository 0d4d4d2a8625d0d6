"""The C interface of a model, sim/harness.h, for ctypes: its structures, and the types of its functions."""

from __future__ import annotations

import ctypes


class EventRecord(ctypes.Structure):
    """eccel_event."""

    _fields_ = [("cycle", ctypes.c_uint64), ("kind", ctypes.c_uint32), ("value", ctypes.c_uint32)]


class SumRecord(ctypes.Structure):
    """eccel_sum."""

    _fields_ = [("clock", ctypes.c_uint64), ("bit", ctypes.c_uint64)]


class PlanRecord(ctypes.Structure):
    """eccel_plan."""

    _fields_ = [
        ("watchdog", ctypes.c_uint64),
        ("zeroise_at", ctypes.c_uint64),
        ("reset_at", ctypes.c_uint64),
        ("req_stall", ctypes.c_uint32),
        ("rsp_stall", ctypes.c_uint32),
    ]


VISITOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
"""eccel_visitor."""


class OutcomeRecord(ctypes.Structure):
    """eccel_outcome."""

    _fields_ = [("cycles", ctypes.c_uint64), ("total", ctypes.c_uint64), ("words", ctypes.c_size_t)]


class AnswerRecord(ctypes.Structure):
    """eccel_answer."""

    _fields_ = [("words", ctypes.c_size_t), ("done", ctypes.c_uint64)]


def bind(library: ctypes.CDLL) -> ctypes.CDLL:
    """The library of a model, with the types of its functions."""
    handle, u32, u64, size = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t
    words = ctypes.POINTER(u32)
    signatures: dict[str, tuple[object, list[object]]] = {
        "eccel_model_open": (handle, [ctypes.c_char_p]),
        "eccel_model_close": (None, [handle]),
        "eccel_model_reset": (None, [handle, u32]),
        "eccel_model_idle": (None, [handle, u64]),
        "eccel_model_entropy": (None, [handle, ctypes.c_int, u64]),
        "eccel_model_entropy_words": (None, [handle, words, size]),
        "eccel_model_exchange": (
            ctypes.c_int,
            [handle, words, size, words, size, ctypes.POINTER(PlanRecord), ctypes.POINTER(OutcomeRecord)],
        ),
        "eccel_model_stream": (
            ctypes.c_int,
            [
                handle,
                words,
                ctypes.POINTER(ctypes.c_size_t),
                size,
                words,
                size,
                ctypes.POINTER(AnswerRecord),
                ctypes.POINTER(PlanRecord),
            ],
        ),
        "eccel_model_clocks": (u64, [handle]),
        "eccel_model_busy": (ctypes.c_int, [handle]),
        "eccel_model_has_events": (ctypes.c_int, []),
        "eccel_model_events_record": (None, [handle, ctypes.c_int]),
        "eccel_model_activity_record": (None, [handle, ctypes.c_int]),
        "eccel_model_activity_take": (size, [handle, ctypes.POINTER(ctypes.c_uint16), size]),
        "eccel_model_sums_watch": (None, [handle, ctypes.POINTER(ctypes.c_uint16), size]),
        "eccel_model_sums_count": (size, [handle]),
        "eccel_model_sums_take": (size, [handle, ctypes.POINTER(SumRecord), size]),
        "eccel_model_state_bits": (u64, [handle, ctypes.c_int]),
        "eccel_model_flip": (None, [handle, u64, ctypes.c_int, u64]),
        "eccel_model_visit": (None, [handle, ctypes.POINTER(u64), size, VISITOR, ctypes.c_void_p]),
        "eccel_model_events_count": (size, [handle]),
        "eccel_model_events_take": (size, [handle, ctypes.POINTER(EventRecord), size]),
        "eccel_model_wave": (ctypes.c_int, [handle, ctypes.c_char_p]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
