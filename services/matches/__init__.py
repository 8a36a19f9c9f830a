"""Single matches: commands and queries, loading and folding, clocks that run out.

``commands`` and ``actions`` turn ``requests`` into commands of ``domain.match``, and ``repository``
writes the events that they lead to. ``conditional_moves`` keeps answers, which follow a move.
``queries`` reads; ``access`` says who may see a match, and as whom; ``match_json`` is what is seen.
``timeouts``, ``downtime`` and ``vacations`` are about time. ``choices`` looks at the commands that
audits make of events.
"""
