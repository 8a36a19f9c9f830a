"""Players and tokens."""

import pytest
from sqlalchemy.exc import IntegrityError

from services.store import accounts
from services.store.accounts import Bearer, PlayerRow, TokenRow
from services.store.db.engine import Database, fetch, run
from services.store.people import profiles
from services.store.people.profiles import ProfileRow

AT, LATER = "2026-11-27T22:00:00.000000Z", "2027-02-25T22:00:00.000000Z"
ADA = PlayerRow("p_ada0000000000000", "Ada", "ada", "$argon2$", admin=False, created_at=AT)
BOB = PlayerRow("p_bob0000000000000", "Bob", "bob", None, admin=True, created_at=AT)
TOKEN = TokenRow("t1", ADA.id, "d" * 64, "laptop", "match:read match:play", AT, LATER)


@pytest.fixture(autouse=True)
def _two_players(database: Database) -> None:
    with database.write() as connection:
        assert accounts.insert_player(connection, ADA)
        assert accounts.insert_player(connection, BOB)


def test_a_player_is_found_by_id_and_by_key(database: Database) -> None:
    with database.read() as connection:
        assert accounts.find_by_id(connection, ADA.id) == ADA
        assert accounts.find_by_key(connection, "bob") == BOB
        assert accounts.find_by_id(connection, "p_nobody") is None
        assert accounts.find_by_key(connection, "Bob") is None


def test_a_key_that_is_taken_is_refused_and_the_transaction_goes_on(database: Database) -> None:
    rival = ADA._replace(id="p_eve0000000000000", name="ADA")
    with database.write() as connection:
        assert not accounts.insert_player(connection, rival)
        assert accounts.insert_player(connection, rival._replace(name="Eve", key="eve"))
    with database.read() as connection:
        assert accounts.find_by_key(connection, "ada") == ADA
        assert accounts.find_by_key(connection, "eve") is not None


def test_names_are_found_in_one_go(database: Database) -> None:
    with database.read() as connection:
        found = profiles.find_names(connection, {ADA.id, BOB.id, "p_nobody"})
        assert found == {ADA.id: "Ada", BOB.id: "Bob"}
        assert profiles.find_names(connection, set()) == {}


def test_password_and_rank_change_for_one_player(database: Database) -> None:
    with database.write() as connection:
        accounts.set_password(connection, BOB.id, "$new$")
        accounts.set_admin(connection, ADA.id, admin=True)
        accounts.set_admin(connection, BOB.id, admin=False)
        assert accounts.find_by_id(connection, ADA.id) == ADA._replace(admin=True)
        assert accounts.find_by_id(connection, BOB.id) == BOB._replace(
            password_hash="$new$", admin=False
        )


def test_a_token_is_known_by_its_digest(database: Database) -> None:
    with database.write() as connection:
        accounts.insert_token(connection, TOKEN)
    with database.read() as connection:
        assert accounts.find_bearer(connection, TOKEN.digest) == Bearer(
            TOKEN.id, ADA.id, "Ada", TOKEN.scopes, LATER, admin=False
        )
        assert accounts.find_bearer(connection, "e" * 64) is None


def test_a_players_tokens_come_oldest_first(database: Database) -> None:
    second = TOKEN._replace(id="t0", digest="e" * 64, created_at=LATER)
    foreign = TOKEN._replace(id="t2", digest="f" * 64, player=BOB.id)
    with database.write() as connection:
        for token in (second, TOKEN, foreign):
            accounts.insert_token(connection, token)
        assert accounts.list_tokens(connection, ADA.id) == [TOKEN, second]


def test_a_player_revokes_only_their_own(database: Database) -> None:
    with database.write() as connection:
        accounts.insert_token(connection, TOKEN)
        assert not accounts.delete_token(connection, BOB.id, TOKEN.id)
        assert accounts.delete_token(connection, ADA.id, TOKEN.id)
        assert not accounts.delete_token(connection, ADA.id, TOKEN.id)
        assert accounts.find_bearer(connection, TOKEN.digest) is None


def test_expired_tokens_are_cleared_away(database: Database) -> None:
    with database.write() as connection:
        accounts.insert_token(connection, TOKEN)
        assert accounts.delete_older(connection, accounts.tokens.c.expires_at, LATER) == 0
        assert accounts.delete_older(connection, accounts.tokens.c.expires_at, "2028") == 1


@pytest.mark.parametrize(
    "change", [{"digest": "short"}, {"player": "p_nobody"}, {"id": "t1"}, {"digest": "d" * 64}]
)
def test_a_token_that_cannot_be_is_refused(database: Database, change: dict[str, str]) -> None:
    with database.write() as connection:
        accounts.insert_token(connection, TOKEN)
    second = TOKEN._replace(id="t2", digest="e" * 64)
    with pytest.raises(IntegrityError), database.write() as connection:
        accounts.insert_token(connection, second._replace(**change))


def test_names_that_begin_so_are_found_in_order_without_those_that_closed(
    database: Database,
) -> None:
    for number, name in enumerate(["ada-l", "ada_l", "Adam", "ad", "b", "ADA2"]):
        row = PlayerRow(f"p_{number:016}", name, name.casefold(), None, admin=False, created_at=AT)
        with database.write() as connection:
            assert accounts.insert_player(connection, row)

    def found(prefix: str, after: str = "", limit: int = 9) -> list[str]:
        with database.read() as connection:
            return [one.name for one in accounts.list_by_prefix(connection, prefix, after, limit)]

    # By the bytes of the folded names, on every database alike.
    assert found("ad") == ["ad", "Ada", "ada-l", "ADA2", "ada_l", "Adam"]
    assert found("ada", after="ada-l") == ["ADA2", "ada_l", "Adam"]
    assert found("", limit=2) == ["ad", "Ada"]
    assert found("", after="b", limit=2) == ["Bob", "house:1"]
    hand = PlayerRow("p_left000000000000", "left hand", "LEFT", None, admin=False, created_at=AT)
    with database.write() as connection:
        assert accounts.insert_player(connection, hand)
    assert found("", limit=2) == ["ad", "Ada"]
    for odd in ("L", "%", "a%", "ada ", "\x7f", "\U0010ffff", "ß"):
        assert found(odd) == []
    with database.write() as connection:
        accounts.close(connection, ADA.id, LATER)
    assert found("ada") == ["ada-l", "ADA2", "ada_l", "Adam"]


def test_display_names_are_searched_by_an_index(database: Database) -> None:
    with database.write() as connection:
        for number in range(500):
            name = f"player{number}"
            row = PlayerRow(f"p_{number:016}", name, name, None, admin=False, created_at=AT)
            accounts.insert_player(connection, row)
            profiles.save(connection, row.id, ProfileRow(f"Zo {number}"), f"zo{number}")
        run(connection, "ANALYZE", [])
    sqlite = database.url.startswith("sqlite")
    asked = f"EXPLAIN {'QUERY PLAN' if sqlite else ''} {profiles.BY_PREFIX}"
    with database.read() as connection:
        found = profiles.list_by_prefix(connection, ["zo4", "zo49", "zo\U0010ffff"], 3)
        plan = str(fetch(connection, asked, ["zo4", "zo4\U0010ffff", 3]))
    assert [one.display_name for one in found] == [
        "Zo 4",
        "Zo 40",
        "Zo 400",
        "Zo 49",
        "Zo 490",
        "Zo 491",
    ]
    wanted = "SEARCH profiles USING INDEX" if sqlite else "Scan using ix_profiles_skeleton"
    assert wanted in plan, plan
    assert "SCAN profiles" not in plan, plan


def test_names_are_searched_by_an_index(database: Database) -> None:
    with database.write() as connection:
        for number in range(2000):
            name = f"player{number}"
            row = PlayerRow(f"p_{number:016}", name, name, None, admin=False, created_at=AT)
            accounts.insert_player(connection, row)
        run(connection, "ANALYZE players", [])
    sqlite = database.url.startswith("sqlite")
    asked = f"EXPLAIN {'QUERY PLAN' if sqlite else ''} {accounts.BY_PREFIX}"
    with database.read() as connection:
        plan = str(fetch(connection, asked, ["player1", "player17", "player1\x7f", 9]))
    wanted = "SEARCH players USING INDEX" if sqlite else "Index Scan using uq_players_key"
    assert wanted in plan, plan
    for slow in ("SCAN players", "TEMP B-TREE", "Seq Scan", "Sort"):
        assert slow not in plan, plan
    # All three bounds are looked up, none of them filters afterwards.
    assert sqlite or plan.partition("Filter")[0].count("key)::text") == 3, plan
