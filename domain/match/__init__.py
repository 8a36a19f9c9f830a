"""A match around any game: state, events, commands, and the way from one to the next.

``decide`` turns a command into facts or refuses it, ``fold`` turns facts into a state again,
``views`` is the one door through which anybody looks at either.
"""
