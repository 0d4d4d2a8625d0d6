"""Yardsticks: cores for other algorithms, measured by the same flow as the engines and set next to Marnane's.

Entry points: :func:`yardstick_measure.measure_yardstick`, :func:`marnane_rows.rows`.
"""
