"""The store: events, the caches made of them, and what else is kept. SQL lives here alone.

Law of this room: it stores and finds, and decides nothing. Every function takes the
``Connection`` of a ``Database.read()`` or ``Database.write()``, so that whoever calls says what
belongs to one transaction.
"""
