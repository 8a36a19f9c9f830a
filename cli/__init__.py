"""The terminal: commands for people, and scenes drawn as text.

Law of this room: it knows scenes and no game, use cases and no tables, and it never
meets the web. A command imports what it needs when it runs, so that ``--help`` is quick.
"""
