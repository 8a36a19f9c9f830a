"""Single matches: commands to them and looks at them, loading and folding, clocks that run out.

A request becomes a command here, a command becomes events (``commands``), and whoever asks gets
what they may see of the match (``queries``, ``access``).
"""
