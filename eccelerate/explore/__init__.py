"""Compares designs: the figures of a configuration from the stores, published systems, tables of both.

Doors: :func:`figures.figures`, :func:`compare.run`, the files of :mod:`pages`.
"""
