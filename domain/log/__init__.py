"""What is stored and proved, as pure functions of bytes; nothing here knows a game or a match.

``event_format`` is the one byte layout of events: bodies, hashes, commitments, openings, lines.
``chance`` turns a match's secret and the number of a draw into its outcome. ``merkle`` has trees
that only grow, for checkpoints. ``shapes`` says what stored states are made of.
"""
