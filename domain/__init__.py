"""The rules: pure functions over facts.

Law of this room: no I/O, no clock, no random generator, no framework. Time and
entropy come in with a command; everything else follows from the events.
"""
