"""Who is looking. Hidden is the default: only an audience sees what is sealed for it."""

from __future__ import annotations

from enum import StrEnum


class Viewer(StrEnum):
    """One who looks at a match; the values are the audiences of seals."""

    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SPECTATOR = "spectator"
    SERVER = "server"

    @property
    def seat(self) -> int | None:
        """The seat of this viewer, or None."""
        return _SEATS.get(self)

    @classmethod
    def of_seat(cls, seat: int | None) -> Viewer:
        """Return the viewer who holds ``seat``; without a seat, a spectator."""
        return cls.SPECTATOR if seat is None else cls(f"seat-{seat}")


_SEATS = {Viewer.SEAT_1: 1, Viewer.SEAT_2: 2}
