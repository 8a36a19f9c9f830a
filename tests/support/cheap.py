"""Passwords that cost nothing, in the processes of tests."""

from argon2 import PasswordHasher


def weakest() -> PasswordHasher:
    """Return what hashes passwords as weakly as can be."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
