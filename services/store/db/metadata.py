"""What tables are made of, as SQLAlchemy Core sees them: the metadata, and types of columns.

Each table stands with the module that reads and writes it. Instants are texts in the form of the
event format, which sort as they passed. The migrations make the tables; tests hold both equal.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.types import UserDefinedType
from typing_extensions import override

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""How constraints are named, so that a migration can name what it changes."""

metadata = sa.MetaData(naming_convention=NAMES)

INSTANT = sa.String(27)
MATCH_ID = sa.String(16)
PLAYER_ID = sa.String(18)
DIGEST = sa.String(64)


class TransactionId(UserDefinedType[str]):
    """PostgreSQL's ``xid8``: a transaction's number, which never comes round again."""

    cache_ok = True

    @override
    def get_col_spec(self, **_: object) -> str:
        """Return the type's name in SQL."""
        return "xid8"


# Without this, looking at a schema would warn of a type that nobody knows.
PGDialect.ischema_names["xid8"] = TransactionId

HIGHEST = 2**31 - 1
"""The highest number that a column of integers holds."""

POSITION = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""SQLite counts up by itself only what is called INTEGER."""
