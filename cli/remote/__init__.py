"""``plybook remote``: playing at a service elsewhere, over its public API and nothing else.

Law of this package: what the service knows comes from its API. No database is opened here, and
no rules are asked; a match is drawn from the scene that the service gives.
"""
