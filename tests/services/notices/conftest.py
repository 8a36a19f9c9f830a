"""A house that sends mail to a server of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.container import Services
from tests.services.conftest import Clock
from tests.services.notices.mail import Post, house_with_mail
from tests.services.people import table
from tests.support.mail_server import MailServer, receiving_mail


@pytest.fixture(scope="session")
def mail_server() -> Iterator[MailServer]:
    """Run one mail server for all tests."""
    with receiving_mail() as made:
        yield made


@pytest.fixture
def server(mail_server: MailServer) -> MailServer:
    """Give a mail server that nothing was sent to yet."""
    mail_server.mails.clear()
    mail_server.answers.clear()
    return mail_server


@pytest.fixture
def mailing(migrated_sqlite_url: str, clock: Clock, server: MailServer) -> Iterator[Services]:
    """Give a house that sends mail."""
    made = house_with_mail(migrated_sqlite_url, clock, server)
    yield made
    made.close()


@pytest.fixture
def post(mailing: Services, server: MailServer, clock: Clock) -> Post:
    """Give a table of that house, and what is sent by it."""
    return Post(table(mailing), server, clock)
