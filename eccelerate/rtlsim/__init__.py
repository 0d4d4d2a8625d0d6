"""Verilated models of the RTL, transports to them and to the other simulators, and measurements of cycles."""
