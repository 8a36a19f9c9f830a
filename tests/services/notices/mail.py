"""A table whose players are told by mail."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from services.container import Services
from services.notices.outbox import Outbox
from services.runtime.settings import Settings
from services.store.notices.channels import EMAIL
from services.store.notices.deliveries import DeliveryRow
from tests.services.conftest import Clock
from tests.services.people import Table
from tests.support.games import test_games
from tests.support.mail_server import Mail, MailServer
from tests.web.people import PASSWORD

BASE = "https://play.example/plybook"


def house_with_mail(url: str, now: Callable[[], datetime], server: MailServer) -> Services:
    """Build a house that hands mail over to a server."""
    settings = Settings(
        database_url=url,
        smtp_url=server.url,
        mail_from="Plybook <notices@play.example>",
        public_url=BASE,
    )
    return Services(settings, games=test_games(), now=now)


@dataclass
class Post:
    """A table, the mail server, and the clock; the second player gets mail."""

    there: Table
    server: MailServer
    clock: Clock

    @property
    def house(self) -> Services:
        """The services."""
        return self.there.house

    def give(self, address: str = "ok@mail.example", name: str = "brook") -> str:
        """Let a player give an address; return the link to confirm it, by its secret."""
        self.house.emails.give(name, PASSWORD, address)
        self.deliver()
        return secret_in(self.server.mails.pop())

    def confirmed(self, address: str = "ok@mail.example", hour: int | None = None) -> Post:
        """Let the second player have a confirmed address."""
        self.house.accounts.set_password("brook", PASSWORD)
        self.house.emails.confirm(self.give(address))
        if hour is not None:
            self.house.emails.choose(self.there.second, ["match.turn", "match.over"], hour)
        # So that lists have in order what comes.
        self.clock.advance(seconds=1)
        return self

    def later(self, **span: float) -> list[Mail]:
        """Let time pass, send what is due, and return what has come since."""
        before = len(self.server.mails)
        self.clock.advance(**span)
        self.deliver()
        return self.server.mails[before:]

    def deliver(self, **mailer: object) -> dict[str, int]:
        """Send what is due."""
        return dict(self.outbox(**mailer).deliver())

    def outbox(self, **mailer: object) -> Outbox:
        """Return the outbox, its waits exactly as long as they are."""
        made = replace(self.house.outbox.mailer, **mailer)  # type: ignore[arg-type]
        return replace(self.house.outbox, mailer=made, spread=lambda seconds: seconds)

    def sent(self) -> list[DeliveryRow]:
        """Return what the second player is told by mail, newest first."""
        return self.house.sent_lists.list_page(self.there.second, EMAIL, 50)[0]


def secret_in(mail: Mail) -> str:
    """Return the secret of the link in a mail."""
    found = re.search(rf"{BASE}/(?:mail|password)/([\w-]+)", mail.text)
    assert found is not None, mail.text
    return found[1]
