"""Being told of what happens: where to (``webhooks``), and how it gets there (``outbox``).

What is to be told is written with the events that it tells of (``services.store.notices``), and
sent afterwards by the worker.
"""
