"""Golden matches: readable transcripts, one for every game and every way that it can end.

A transcript has one line per step and per group of viewers who get the same, with the event
as they are shown it and what changed in the state that they see. A card that leaks shows in
the diff. `python -m tests.golden.write` writes them again after a change that is meant.
"""
