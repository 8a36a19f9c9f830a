"""Storing what an import has verified: beside the verifying of what follows, in its order."""

from collections.abc import Iterable
from io import BytesIO
from threading import enumerate as threads

import pytest
from sqlalchemy import Connection

from services.container import Services
from services.exchange import imports
from services.store.log import events
from tests.services.exchange.matches import all_of, exported, finished
from tests.services.exchange.test_imports import outcomes, read


@pytest.fixture
def files(elsewhere: Services) -> list[bytes]:
    """Return the files of four matches."""
    return [exported(elsewhere, finished(elsewhere).match) for _ in range(4)]


@pytest.mark.parametrize("at_once", [1, 30, 100_000])
def test_all_matches_are_told_of_in_their_order_in_however_many_transactions(
    house: Services, files: list[bytes], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(imports, "AT_ONCE", at_once)
    twice = b"".join([*files, *files[:2]])
    assert outcomes(house, twice, dry=True) == ["imported"] * 4 + ["known"] * 2
    told = read(house, twice)
    assert [one.outcome for one in told] == ["imported"] * 4 + ["known"] * 2
    assert [one.line for one in told] == sorted({one.line for one in told})
    assert [exported(house, one.match or "") for one in told[:4]] == files


def test_what_somebody_stores_meanwhile_is_known_and_the_rest_imported(
    house: Services, files: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert outcomes(house, files[1]) == ["imported"]
    heads, calls = events.find_heads, []

    def as_before(connection: Connection, matches: Iterable[str]) -> dict[str, str]:
        calls.append(matches)
        return heads(connection, matches) if len(calls) > 1 else {}

    monkeypatch.setattr(events, "find_heads", as_before)
    assert outcomes(house, b"".join(files)) == ["imported", "known", "imported", "imported"]
    assert sorted(all_of(house).splitlines()) == sorted(b"".join(files).splitlines())


def test_what_was_told_of_is_stored_when_nobody_asks_for_the_rest(
    house: Services, files: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "AT_ONCE", 1)
    results = house.imports.read(BytesIO(b"".join(files)))
    assert next(results).outcome == "imported"
    results.close()
    assert files[0] in all_of(house)
    assert not [one.name for one in threads() if one.name.startswith("storing")]
