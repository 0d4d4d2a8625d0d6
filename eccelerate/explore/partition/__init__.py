"""How to place a computation on several devices with links between them: cuts, their cost, the RTL of one.

Entry point: :func:`partition_plan.plan`. The cost model is explained in docs/partition.md.
"""
