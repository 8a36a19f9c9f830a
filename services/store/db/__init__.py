"""Databases: connections to SQLite and PostgreSQL, their queues, locks, and running SQL."""
