"""What an attacker finds in the RTL model: faults that change results, and activity that depends on secrets.

Entry points: :func:`fault_campaign.run`, :func:`leak_campaign.run`.
"""
