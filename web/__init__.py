"""The service on the web: the HTTP interface and the pages.

Law of this room: it translates and decides nothing. A request becomes a call of
``services``, and what comes back (views, shown events, refusals) becomes an answer. Nothing
here touches a database, and nothing here knows a game.
"""
