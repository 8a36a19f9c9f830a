"""Audits: does a stored match hold? Nothing is believed that can be computed again.

``audit`` is the one verdict on a match, wherever its events came from: ``chain`` (stored bytes,
links, gaps, seals), ``decisions`` (every decision made again, from the event back to the command
that led to it), and lists and snapshots beside the events. ``database`` goes through all matches,
in several processes. Files are judged in ``services.exchange``. Audits look and write nothing.
"""
