"""Demo players and matches, as scripts of commands.

Law of this room: a demo match takes the one way that every match takes. It is created,
joined and played through the service's own commands; nothing is written beside them.
"""
