"""The container: all services, built from the settings once a process.

It alone imports all of them. What a lower room needs of a higher one is passed in here.
"""

from __future__ import annotations

from collections.abc import Collection
from email.utils import parseaddr
from functools import partial

from domain.game.registry import Games
from domain.games import load_games
from domain.match.decisions.draft import Chance, draw_provably
from services.accounts.accounts import Accounts, make_known_tokens
from services.accounts.closing import Closing
from services.accounts.passkeys import Passkeys
from services.accounts.profiles import Profiles
from services.accounts.recovery import Recovery
from services.accounts.relations import Relations
from services.accounts.sessions import Expiry, KnownAddresses, Sessions
from services.accounts.settings import OwnSettings
from services.audits.audit import Audits
from services.audits.house_players import HouseAudits
from services.checkpoints.keys import SigningKeys, locate_signing_key
from services.checkpoints.proofs import Checkpoints
from services.checkpoints.sequencer import Sequencer
from services.exchange.exports import Exports
from services.exchange.imports import Imports
from services.exchange.own_data import OwnData
from services.lobby.agenda import Agenda
from services.lobby.challenges import Challenges
from services.lobby.hints import Hints
from services.lobby.lists import Lobby
from services.lobby.player_stream import PlayerStream
from services.lobby.practice import PracticeMatches
from services.lobby.rematches import Rematches
from services.lobby.series import SeriesQueries
from services.matches.actions import ActionCommands
from services.matches.commands import MatchCommands
from services.matches.conditional_moves.execution import ConditionalExecution
from services.matches.conditional_moves.plans import ConditionalMovesCommands
from services.matches.downtime import Downtime
from services.matches.house_players import HousePlayers
from services.matches.queries import MatchQueries
from services.matches.repository import Repository
from services.matches.timeouts import Sweep
from services.matches.vacations import Vacations
from services.notices.emails import Emails
from services.notices.forgotten_passwords import ForgottenPasswords
from services.notices.letters import Letters
from services.notices.outbox import Outbox
from services.notices.push.browsers import Browsers
from services.notices.push.vapid_key import VapidKey, locate_push_key
from services.notices.senders import Mailer, Sender
from services.notices.sent_lists import SentLists
from services.notices.subscriptions import Subscriptions
from services.notices.webhooks import Webhooks
from services.puzzles.finder import PuzzleFinder
from services.puzzles.puzzles import Puzzles
from services.ratings.leaderboards import Leaderboards
from services.ratings.rated_matches import RatedMatches
from services.rebuild import Rebuilding
from services.replays.analysis import Analyses
from services.replays.replay import Replays
from services.replays.search import Search
from services.replays.statistics import Statistics
from services.replays.what_if import WhatIf
from services.runtime.clock import Now, utc_now
from services.runtime.mail_server import read_mail_server
from services.runtime.notifier import Notifier
from services.runtime.randomness import Randomness
from services.runtime.settings import Settings, get_address
from services.store.cursors import CursorCipher
from services.store.db.engine import Database
from services.store.log import events, feed
from services.store.log.events import Group
from services.store.log.feed import FeedPosition
from services.talk.chat import Chat
from services.talk.moderation import Moderation
from services.talk.notes import Notes


class Services:
    """Everything that a front end needs, on the database of the settings.

    Tests bring games, a clock, randomness and chance of their own.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        games: Games | None = None,
        now: Now = utc_now,
        randomness: Randomness | None = None,
        chance: Chance = draw_provably,
    ) -> None:
        self.settings = settings
        self.games = games or load_games()
        self.now = now
        self._randomness = randomness or Randomness()
        self.database = Database(settings.database_url)
        self._repository = Repository(self.games, now, self._randomness, chance)
        self._sealer = CursorCipher(self.database)
        self.notifier = Notifier(
            partial(_load_heads, self.database), partial(_list_gone_on, self.database)
        )
        self._build_matches()
        self._build_people()
        self._build_notices()
        self._build_lobby()
        self._build_replays()
        self._build_proofs()
        self._build_chores()

    def _build_matches(self) -> None:
        self.accounts = Accounts(
            self.database,
            self.now,
            self._randomness,
            self.settings.token_days,
            make_known_tokens(alone=self.settings.workers == 1),
        )
        self.downtime = Downtime(self.database, self.now, self.settings.downtime_grace)
        self.queries = MatchQueries(self.database, self._repository, self.accounts, self.downtime)
        self.matches = MatchCommands(
            database=self.database,
            group=Group(self.database),
            repository=self._repository,
            accounts=self.accounts,
            conditional_execution=ConditionalExecution(self.database, self._repository),
            actions=ActionCommands(self.database, self._repository),
            downtime=self.downtime,
            notifier=self.notifier,
            challenge_days=self.settings.challenge_days,
        )
        self.conditional_moves = ConditionalMovesCommands(
            self.database,
            self._repository,
            self.matches.conditional_execution,
            self.matches.announce,
        )
        self.house_players = HousePlayers(self.matches)
        self.vacations = Vacations(self.matches)

    def _build_people(self) -> None:
        self.addresses = KnownAddresses(self.database, self._sealer, self.now)
        self.sessions = Sessions(self.accounts, self.settings.session_days)
        self.recovery = Recovery(self.accounts)
        self.profile_settings = OwnSettings(self.accounts)
        self.profiles = Profiles(self.accounts, self._sealer)
        self.passkeys = Passkeys(self.accounts, self._sealer)
        self.relations = Relations(
            self.accounts, self.matches.end_challenges, self.matches.announce
        )
        self.closing = Closing(self.accounts, self.matches.leave_all, self.matches.announce)
        self.chat = Chat(self.database, self._repository, self.accounts, self.now, self.notifier)
        self.notes = Notes(self.database, self.queries, self.now)
        self.moderation = Moderation(self.accounts, self.chat)

    def _build_notices(self) -> None:
        settings, private = self.settings, bool(self.settings.webhooks_private)
        letters = Letters(self.queries, self._sealer, get_address(settings), settings.mail_from)
        mail_server = read_mail_server(settings.smtp_url)
        push_key = VapidKey(locate_push_key(self.database, settings.push_key_file))
        self.sent_lists = SentLists(self.database, self._sealer)
        self.webhooks = Webhooks(self.database, self.now, self._randomness, private)
        self.subscriptions = Subscriptions(self.queries, self.now, self._randomness)
        self.emails = Emails(self.accounts, letters, available=mail_server is not None)
        self.browsers = Browsers(self.database, self.now, self._randomness, push_key, private)
        self.forgotten_passwords = ForgottenPasswords(self.accounts, self.emails)
        self.outbox = Outbox(
            self.database,
            self._repository,
            self.now,
            self._randomness.spread,
            Sender(
                private,
                push_key,
                _choose_contact(settings),
                self.profile_settings.get_catalogue,
            ),
            Mailer(mail_server, letters),
            settings.notice_days,
        )

    def _build_lobby(self) -> None:
        self.challenges = Challenges(self.matches, self.queries, self._sealer)
        self.rematches = Rematches(self.matches, self.queries)
        self.lobby = Lobby(self.queries, self._sealer)
        self.series = SeriesQueries(self.queries, self._sealer)
        self.agenda = Agenda(self.queries)
        self.hints = Hints(self.queries)
        self.player_stream = PlayerStream(self.queries, self._sealer)
        self.puzzles = Puzzles(self.database, self._repository, self._sealer)
        self.puzzle_finder = PuzzleFinder(self.database, self._repository)
        self.rated_matches = RatedMatches(self.database, self.games)
        self.leaderboards = Leaderboards(self.accounts, self.games, self._sealer)

    def _build_replays(self) -> None:
        self.replays = Replays(self.queries)
        self.practice = PracticeMatches(self.matches, self.queries)
        self.what_if = WhatIf(self.queries)
        self.analyses = Analyses(self.queries)
        self.search = Search(self.database, self.replays)
        self.statistics = Statistics(self.database)

    def _build_proofs(self) -> None:
        key_file = locate_signing_key(self.database, self.settings.signing_key_file)
        self.signing_keys = SigningKeys(self.database, key_file, self.now)
        self.sequencer = Sequencer(self.database, self.signing_keys, self.now)
        self.checkpoints = Checkpoints(self.database, self.queries)
        self.audits = Audits(self.database, self.games)
        self.house_audits = HouseAudits(self.database, self._repository)
        self.exports = Exports(self.queries, self.replays, self.games)
        self.imports = Imports(self.database, self._repository, self.games, self.now)
        self.own_data = OwnData(
            self.accounts, self.relations, self.queries, self.series, self.leaderboards
        )

    def _build_chores(self) -> None:
        expiry = Expiry(self.database, self.now)
        self.rebuilding = Rebuilding(self.database, self._repository, self.rated_matches)
        self.sweeping = Sweep(
            self.matches,
            {
                "practices": self.practice.clear,
                "expired": lambda: expiry.clear() + self.outbox.clear(),
                "low_on_time": self.outbox.tell_of_low_time,
                "closed": self.closing.close_due,
            },
        )

    def close(self) -> None:
        """End what waits in threads, and close the database."""
        self.matches.conditional_execution.close()
        self.notifier.close()
        self.database.dispose()


def _choose_contact(settings: Settings) -> str:
    """Return the address at which push services may reach the operator; "" if there is none."""
    base = get_address(settings)
    if settings.mail_from:
        return f"mailto:{parseaddr(settings.mail_from)[1]}"
    return base if base.startswith("https://") else ""


def _load_heads(database: Database, matches: Collection[str]) -> dict[str, str]:
    with database.read() as connection:
        return events.find_heads(connection, matches)


def _list_gone_on(database: Database, place: object) -> tuple[FeedPosition, Collection[str | None]]:
    with database.read() as connection:
        upto = feed.get_last_place(connection)
        if not isinstance(place, FeedPosition) or place == upto:
            return upto, ()
        return upto, feed.list_concerned(connection, place, upto)
