"""Scenes as pictures: text for terminals and transcripts, SVG for pages and downloads.

Both front ends and the exports draw with it; it knows scenes and views, never a game.
"""
