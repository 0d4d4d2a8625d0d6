"""Cycle models of the field units, the engines and their sequencer, exact to the clock."""
