"""Who may ask for how much of a server process: clients, costs, places for streams, shared answers.

Law of this room: it knows nothing of what is asked for.
"""
