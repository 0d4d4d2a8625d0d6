"""Compares designs: the figures of a configuration from the stores, published systems, and tables of both.

Entry points: :func:`figures.figures`, :func:`comparison.compare`, and the files of :mod:`pages`.
"""
