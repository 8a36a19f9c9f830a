"""Notices by mail: addresses that are confirmed, and links in mails."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0035"
down_revision = "0034"

_INSTANT, _DIGEST = sa.String(27), sa.String(64)


def upgrade() -> None:
    """Make the table of links, and what channels of mail have beside others."""
    op.add_column("notice_channels", sa.Column("address_hash", _DIGEST))
    op.add_column("notice_channels", sa.Column("confirmed_at", _INSTANT))
    op.add_column("notice_channels", sa.Column("hour", sa.Integer))
    op.create_index("ix_notice_channels_address_hash", "notice_channels", ["address_hash"])
    position = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "mail_links",
        sa.Column("digest", _DIGEST, nullable=False),
        sa.Column("purpose", sa.String(16), nullable=False),
        sa.Column("player", sa.String(18)),
        sa.Column("channel", sa.String(18)),
        sa.Column("address_hash", _DIGEST),
        sa.Column("number", position),
        sa.Column("secret", sa.Text),
        sa.Column("former", _DIGEST),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("expires_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_mail_links"),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_mail_links_digest")),
        sa.CheckConstraint(
            "purpose IN ('confirm', 'password')", name=op.f("ck_mail_links_purpose")
        ),
    )
    for column in ("expires_at", "player", "channel", "address_hash"):
        op.create_index(f"ix_mail_links_{column}", "mail_links", [column])


def downgrade() -> None:
    """Remove them, unless addresses that people have confirmed would be lost unasked."""
    must_be_allowed(
        "This would destroy people's e-mail addresses.",
        "FROM notice_channels WHERE confirmed_at IS NOT NULL",
    )
    op.drop_table("mail_links")
    op.execute(
        "DELETE FROM notice_deliveries WHERE channel IN "
        "(SELECT id FROM notice_channels WHERE kind = 'email')"
    )
    op.execute("DELETE FROM notice_channels WHERE kind = 'email'")
    op.drop_index("ix_notice_channels_address_hash", "notice_channels")
    for column in ("hour", "confirmed_at", "address_hash"):
        op.drop_column("notice_channels", column)
