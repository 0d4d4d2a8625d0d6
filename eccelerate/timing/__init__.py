"""Cycle models of the field units, the engines and their sequencer. They are exact to the clock."""
