"""What players choose for themselves: how they are called, their time zone, what others see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import cache
from gettext import NullTranslations
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from sqlalchemy import Connection

from domain.i18n import say
from services.accounts.accounts import Accounts
from services.accounts.closing import must_be_open
from services.accounts.display_names import (
    clean_name,
    lock_of,
    make_plain_skeletons,
    make_skeleton,
    make_skeletons,
    must_not_be_reserved,
)
from services.errors import InvalidRequest, NameTaken
from services.runtime.languages import ENGLISH, list_languages, load_catalogue
from services.store import accounts
from services.store.people import profiles
from services.store.people.profiles import ProfileRow


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """Keeps what players choose."""

    accounts: Accounts

    def get(self, player: str) -> ProfileRow:
        """Return what a player has chosen."""
        with self.accounts.database.read() as connection:
            return profiles.get(connection, player)

    def get_catalogue(self, player: str) -> NullTranslations:
        """Return the catalogue of the language in which a player is told things."""
        return load_catalogue(self.get(player).language or ENGLISH)

    def change(self, player: str, wanted: ProfileRow) -> None:
        """Keep what a player has chosen.

        Raises ``InvalidPlayer`` for a display name that cannot be, ``NameTaken`` for one that looks
        like that of somebody else, ``InvalidRequest`` for a time zone or language there is not.
        """
        if wanted.time_zone is not None and wanted.time_zone not in list_all_zones():
            raise InvalidRequest(say("There is no such time zone."), pointer="/time_zone")
        if wanted.language is not None and wanted.language not in list_languages():
            raise InvalidRequest(say("There is no such language."), pointer="/language")
        name = None if wanted.display_name is None else clean_name(wanted.display_name)
        common = None if name is None else make_skeleton(name)
        if name is not None:
            must_not_be_reserved(name, "/display_name")
        with self.accounts.database.write() as connection:
            must_be_open(connection, player)
            if name is not None:
                _must_be_free(connection, player, name)
            profiles.save(connection, player, wanted._replace(display_name=name), common)
        self.accounts.known_names.forget()


def _must_be_free(connection: Connection, player: str, name: str) -> None:
    accounts.hold_alike(connection, lock_of(name))
    if profiles.is_shown(connection, make_skeletons(name), player) or profiles.is_log_in_name(
        connection, make_plain_skeletons(name), player
    ):
        raise NameTaken(
            say("This name looks like one that is, or was, taken."), pointer="/display_name"
        )


@cache
def list_all_zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones()) - {"localtime", "Factory"}


@cache
def list_offered_zones() -> list[str]:
    """Return the time zones that are offered: one for each place, and UTC."""
    places = (
        one for one in list_all_zones() if "/" in one and not one.startswith(("Etc/", "SystemV/"))
    )
    return ["UTC", *sorted(places)]


@cache
def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name; UTC for one that is not there any more."""
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return UTC
