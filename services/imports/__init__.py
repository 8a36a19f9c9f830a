"""Imports: finished matches from elsewhere, each verified before anything of it is stored.

The law of this folder: a file is somebody's claim. Nothing of it is believed that can be computed
again, and nothing in it makes anybody here a player.
"""
