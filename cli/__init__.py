"""The program ``plybook``: commands for people at a terminal, and scenes drawn as text.

Law of this room: it knows scenes and no game, use cases and no tables, and it never meets the web.
``main`` knows the commands and imports each when it is asked for: ``plybook --help`` answers
without a database. ``commands`` work on a database beside them, ``remote`` over HTTP.
"""
