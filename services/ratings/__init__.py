"""Ratings: ``rated_matches`` counts, in the order of the tree's leaves; ``leaderboards`` show it.

The law of this folder: a rating follows from the log and the tree's leaves, and from nothing else.
Thrown away and made anew it is the same, to the last digit.
"""
