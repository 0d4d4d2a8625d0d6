"""The family of multipliers: which units there are, their figures, and which one to take.

Entry points: :func:`multiplier_rows.rows`, :func:`multiplier_measure.sweep`, :func:`multiplier_pick.pick`.
"""
