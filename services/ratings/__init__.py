"""Ratings: matches are counted by ``rated_matches``, in the order of the tree's leaves.

The law of this folder: a rating follows from the log and the tree's leaves, and from nothing else.
Thrown away and made anew it is the same, to the last digit.
"""
