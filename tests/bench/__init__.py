"""Measurements: ratios within one run, each against its floor on the same database.

Machines are noisy, so ours and the floor take turns, in short rounds, and a ratio is the
median over the rounds. ``./dev bench`` prints them; ``./dev bench append fold`` some.
"""
