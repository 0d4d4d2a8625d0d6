"""The instruction-set simulator: microcode on Python integers, packet in, packet out."""
