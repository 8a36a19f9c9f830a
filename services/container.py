"""The container: builds all services from the settings, once a process.

It alone imports all of them. What a lower room needs of a higher one is passed in here.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from email.utils import parseaddr
from functools import partial

from domain.game.registry import Games
from domain.games import load_games
from domain.match.decisions.draft import Chance, draw_provably
from services.accounts.accounts import Accounts, make_known_tokens
from services.accounts.closing import Closing
from services.accounts.guests import Guests
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
from services.matches.repository import Appended, Repository
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


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a front end needs."""

    settings: Settings
    database: Database
    games: Games
    now: Now
    accounts: Accounts
    addresses: KnownAddresses
    sessions: Sessions
    recovery: Recovery
    profile_settings: OwnSettings
    relations: Relations[Appended]
    passkeys: Passkeys
    matches: MatchCommands
    challenges: Challenges
    rematches: Rematches
    closing: Closing[Appended]
    queries: MatchQueries
    lobby: Lobby
    series: SeriesQueries
    agenda: Agenda
    profiles: Profiles
    practice: PracticeMatches
    hints: Hints
    puzzles: Puzzles
    puzzle_finder: PuzzleFinder
    replays: Replays
    what_if: WhatIf
    analyses: Analyses
    search: Search
    statistics: Statistics
    audits: Audits
    house_audits: HouseAudits
    rated_matches: RatedMatches
    leaderboards: Leaderboards
    rebuilding: Rebuilding
    exports: Exports
    imports: Imports
    own_data: OwnData
    conditional_moves: ConditionalMovesCommands
    notes: Notes
    chat: Chat
    moderation: Moderation
    checkpoints: Checkpoints
    signing_keys: SigningKeys
    sequencer: Sequencer
    player_stream: PlayerStream
    downtime: Downtime
    vacations: Vacations
    sweeping: Sweep
    house_players: HousePlayers
    sent_lists: SentLists
    webhooks: Webhooks
    subscriptions: Subscriptions
    emails: Emails
    browsers: Browsers
    forgotten_passwords: ForgottenPasswords
    outbox: Outbox
    notifier: Notifier

    def close(self) -> None:
        """Close the database."""
        self.matches.conditional_execution.close()
        self.notifier.close()
        self.database.dispose()


def build(
    settings: Settings,
    *,
    games: Games | None = None,
    now: Now = utc_now,
    randomness: Randomness | None = None,
    chance: Chance = draw_provably,
) -> Services:
    """Build the services on a database; tests bring games, a clock, chance of their own."""
    games = games or load_games()
    randomness = randomness or Randomness()
    database = Database(settings.database_url)
    repository = Repository(games, now, randomness)
    accounts = Accounts(
        database,
        now,
        randomness,
        settings.token_days,
        make_known_tokens(alone=settings.workers == 1),
    )
    downtime = Downtime(database, now, settings.downtime_grace)
    queries = MatchQueries(database, repository, accounts, downtime)
    sealer = CursorCipher(database)
    notifier = Notifier(partial(_load_heads, database), partial(_list_gone_on, database))
    replays = Replays(queries, games)
    signing_keys = SigningKeys(
        database, locate_signing_key(database, settings.signing_key_file), now
    )
    conditional_execution = ConditionalExecution(database, repository, chance)
    matches = MatchCommands(
        database=database,
        group=Group(database),
        repository=repository,
        accounts=accounts,
        randomness=randomness,
        conditional_execution=conditional_execution,
        actions=ActionCommands(database, repository),
        downtime=downtime,
        notifier=notifier,
        chance=chance,
        challenge_days=settings.challenge_days,
    )
    guests = Guests(accounts)
    practice = PracticeMatches(matches, queries, guests, replays.find_last_move)
    addresses = KnownAddresses(database, sealer, now)
    rated_matches = RatedMatches(database, games)
    private = bool(settings.webhooks_private)
    profile_settings = OwnSettings(accounts)
    letters = Letters(queries, sealer, get_address(settings), settings.mail_from)
    mail_server = read_mail_server(settings.smtp_url)
    emails = Emails(accounts, letters, available=mail_server is not None)
    sent_lists = SentLists(database, sealer)
    push_key = VapidKey(locate_push_key(database, settings.push_key_file))
    outbox = Outbox(
        database,
        repository,
        now,
        randomness.spread,
        Sender(
            private,
            key=push_key,
            contact=_choose_contact(settings),
            words=profile_settings.get_catalogue,
        ),
        Mailer(mail_server, letters),
        settings.notice_days,
    )
    expiry = Expiry(database, now)
    relations = Relations(accounts, matches.end_challenges, matches.announce)
    series = SeriesQueries(queries, sealer)
    leaderboards = Leaderboards(accounts, games, sealer)
    closing = Closing(accounts, matches.leave_all, matches.announce)
    chat = Chat(database, repository, accounts, now, notifier)
    return Services(
        settings=settings,
        database=database,
        games=games,
        now=now,
        accounts=accounts,
        addresses=addresses,
        sessions=Sessions(database, accounts, now, randomness, settings.session_days),
        recovery=Recovery(accounts),
        profile_settings=profile_settings,
        relations=relations,
        passkeys=Passkeys(accounts, sealer),
        matches=matches,
        challenges=Challenges(matches, queries, sealer),
        rematches=Rematches(matches, queries),
        closing=closing,
        queries=queries,
        lobby=Lobby(database, repository, accounts, sealer, downtime),
        series=series,
        agenda=Agenda(queries),
        profiles=Profiles(accounts, sealer),
        practice=practice,
        hints=Hints(queries),
        puzzles=Puzzles(database, repository, sealer, now),
        puzzle_finder=PuzzleFinder(database, repository),
        replays=replays,
        what_if=WhatIf(queries),
        analyses=Analyses(queries),
        search=Search(database, replays),
        statistics=Statistics(database),
        audits=Audits(database, games),
        house_audits=HouseAudits(database, repository),
        rated_matches=rated_matches,
        leaderboards=leaderboards,
        rebuilding=Rebuilding(database, repository, rated_matches),
        exports=Exports(queries, replays, games),
        imports=Imports(database, repository, games, now),
        own_data=OwnData(accounts, relations, queries, series, leaderboards),
        conditional_moves=ConditionalMovesCommands(
            database, repository, conditional_execution, matches.announce, now
        ),
        notes=Notes(database, queries, now),
        chat=chat,
        moderation=Moderation(accounts, chat),
        checkpoints=Checkpoints(database, queries),
        signing_keys=signing_keys,
        sequencer=Sequencer(database, signing_keys, now),
        player_stream=PlayerStream(queries, sealer),
        downtime=downtime,
        vacations=Vacations(matches),
        sweeping=Sweep(
            matches,
            now,
            {
                "practices": practice.clear,
                "expired": lambda: expiry.clear() + outbox.clear(),
                "low_on_time": outbox.tell_of_low_time,
                "closed": closing.close_due,
            },
        ),
        house_players=HousePlayers(matches),
        subscriptions=Subscriptions(queries, now, randomness),
        sent_lists=sent_lists,
        webhooks=Webhooks(database, now, randomness, sent_lists, private),
        emails=emails,
        browsers=Browsers(database, now, randomness, push_key, private),
        forgotten_passwords=ForgottenPasswords(accounts, emails),
        outbox=outbox,
        notifier=notifier,
    )


def _choose_contact(settings: Settings) -> str:
    """Return who push services may turn to: nobody, where the service has no address for all."""
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
