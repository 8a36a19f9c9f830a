"""The present, as services are given it: tests bring one of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

Now: TypeAlias = Callable[[], datetime]
"""The present, as an aware datetime in UTC."""

utc_now: Now = partial(datetime.now, UTC)
