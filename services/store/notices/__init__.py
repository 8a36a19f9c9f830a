"""What is to be told: where to (``channels``), and each thing that is told there (``deliveries``).

``deliveries`` is the outbox: rows are added in the transaction of the events that they tell of.
"""
