"""The pages, for people; everything on them works without a script.

The law of this folder: pages show what ``services`` gives to whoever is logged in with this
browser, or to anybody, through views and shown events only; what a player sees is never
kept by a cache. What is sent goes through ``forms``, which sees that it comes from a form of
ours and counts once. Texts come from here and from the games, never from a template's guess
about a game.
"""
