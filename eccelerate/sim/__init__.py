"""Configurations, the cycle-accurate RTL model, the instruction-set simulator, and their transports."""
