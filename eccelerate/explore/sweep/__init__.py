"""Sweeps over many designs: points, the store that processes share, and the choice among the results.

Entry points: :func:`space_points.expand`, :func:`sweep_pool.run_pool`, :func:`sweep_dask.run_cluster`,
:func:`sweep_rows.rows`, :func:`sweep_pick.pick`. docs/explore.md explains them.
"""
