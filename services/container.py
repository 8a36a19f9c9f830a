"""From settings to collaborators, built once per process."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from domain.game.registry import Games
from domain.games import all_games
from domain.match.draft import Chance, provable
from services.accounts.accounts import Accounts, KnownTokens
from services.accounts.closing import Closing
from services.accounts.expiry import Expiry
from services.accounts.known_addresses import KnownAddresses
from services.accounts.profiles import Records
from services.accounts.sessions import Sessions
from services.audits.audit import Audits
from services.checkpoints.keys import SigningKeys, key_file
from services.checkpoints.proofs import Checkpoints
from services.checkpoints.sequencer import Sequencer
from services.exchange.exports import Exports
from services.exchange.imports import Imports
from services.lobby.agenda import Agenda
from services.lobby.challenges import Starting
from services.lobby.lists import Lobby
from services.lobby.player_stream import News
from services.lobby.practice import Practising
from services.lobby.rematches import Rematches
from services.matches.actions import Actions
from services.matches.commands import Matches
from services.matches.conditional_execution import Answering
from services.matches.conditional_moves import Conditionals
from services.matches.downtime import Downtime
from services.matches.queries import Looking
from services.matches.repository import Appended, Repository
from services.matches.timeouts import Sweeping, Timekeeper
from services.matches.vacations import Vacations
from services.rebuild import Rebuilding
from services.replays.replay import Replays
from services.replays.search import Finding
from services.replays.statistics import Statistics
from services.replays.what_if import WhatIf
from services.runtime.clock import Now, utc_now
from services.runtime.notifier import Waker
from services.runtime.randomness import Entropy, SystemEntropy
from services.runtime.settings import Settings
from services.store.cursors import Sealer
from services.store.db.engine import Database
from services.store.log import events as log
from services.store.log.group_commit import Group
from services.talk.chat import Chat
from services.talk.notes import Notes


@dataclass(frozen=True, slots=True)
class House:
    """Everything that a front end needs."""

    settings: Settings
    database: Database
    games: Games
    now: Now
    accounts: Accounts
    addresses: KnownAddresses
    sessions: Sessions
    matches: Matches
    starting: Starting
    rematches: Rematches
    closing: Closing[Appended]
    looking: Looking
    lobby: Lobby
    agenda: Agenda
    records: Records
    practising: Practising
    replays: Replays
    what_if: WhatIf
    finding: Finding
    statistics: Statistics
    audits: Audits
    rebuilding: Rebuilding
    exports: Exports
    imports: Imports
    conditionals: Conditionals
    notes: Notes
    chat: Chat
    checkpoints: Checkpoints
    signing_keys: SigningKeys
    sequencer: Sequencer
    news: News
    downtime: Downtime
    timekeeper: Timekeeper
    vacations: Vacations
    sweeping: Sweeping
    waker: Waker

    def close(self) -> None:
        """Close the database."""
        self.matches.answering.close()
        self.waker.close()
        self.database.dispose()


def wire(
    settings: Settings,
    *,
    games: Games | None = None,
    now: Now = utc_now,
    entropy: Entropy | None = None,
    chance: Chance = provable,
) -> House:
    """Build the house on a database; tests bring games, a clock, entropy, chance of theirs."""
    games = games or all_games()
    entropy = entropy or SystemEntropy()
    database = Database(settings.database_url)
    repository = Repository(games, now, entropy)
    accounts = Accounts(
        database, now, entropy, settings.token_days, KnownTokens(alone=settings.workers == 1)
    )
    downtime = Downtime(database, now, settings.downtime_grace)
    looking = Looking(database, repository, accounts, downtime)
    sealer = Sealer(database)
    waker = Waker(lambda matches: _heads(database, matches))
    replays = Replays(looking, games)
    signing_keys = SigningKeys(database, key_file(database, settings.signing_key_file), now)
    answering = Answering(database, repository, chance)
    timekeeper = Timekeeper(
        database, repository, answering, waker, chance, downtime, settings.challenge_days
    )
    actions = Actions(database, repository)
    vacations = Vacations(timekeeper)
    matches = Matches(
        database,
        Group(database),
        repository,
        accounts,
        entropy,
        answering,
        timekeeper,
        actions,
        chance,
    )
    practising = Practising(matches, looking, replays.last_move)
    addresses = KnownAddresses(database, sealer, now)
    return House(
        settings=settings,
        database=database,
        games=games,
        now=now,
        accounts=accounts,
        addresses=addresses,
        sessions=Sessions(database, accounts, now, entropy, settings.session_days),
        matches=matches,
        starting=Starting(matches, looking, sealer),
        rematches=Rematches(matches, looking),
        closing=Closing(accounts, matches.leave_all, matches.announce),
        looking=looking,
        lobby=Lobby(database, repository, accounts, sealer, downtime),
        agenda=Agenda(looking),
        records=Records(accounts),
        practising=practising,
        replays=replays,
        what_if=WhatIf(looking),
        finding=Finding(database, replays),
        statistics=Statistics(database),
        audits=Audits(database, games),
        rebuilding=Rebuilding(database, repository),
        exports=Exports(looking, replays, games),
        imports=Imports(database, repository, games, now),
        conditionals=Conditionals(database, repository, answering, timekeeper.announce, now),
        notes=Notes(database, looking, now),
        chat=Chat(database, repository, accounts, now),
        checkpoints=Checkpoints(database, looking, signing_keys),
        signing_keys=signing_keys,
        sequencer=Sequencer(database, signing_keys, now),
        news=News(looking, sealer),
        downtime=downtime,
        timekeeper=timekeeper,
        vacations=vacations,
        sweeping=Sweeping(
            timekeeper,
            now,
            {"practices": practising.clear, "expired": Expiry(database, now).clear},
        ),
        waker=waker,
    )


def _heads(database: Database, matches: Collection[str]) -> dict[str, str]:
    with database.read() as connection:
        return log.heads(connection, matches)
