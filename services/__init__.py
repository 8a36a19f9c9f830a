"""The use cases: load, fold, decide, append; everything that touches a database.

Law of this room: what leaves it has gone through ``domain.match.views``. Nobody outside sees a
``Match`` or a position, only ``MatchView`` and shown events.
"""
