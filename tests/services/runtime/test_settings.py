"""Settings come from the environment; what cannot be is refused in words."""

import pytest

from services.runtime.settings import from_environment


@pytest.mark.parametrize("days", ["1", "60"])
def test_challenges_wait_for_as_long_as_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, days: str
) -> None:
    monkeypatch.setenv("PLYBOOK_CHALLENGE_DAYS", days)
    assert from_environment().challenge_days == int(days)


@pytest.mark.parametrize("days", ["0", "61", "-1"])
def test_a_time_for_challenges_that_cannot_be_is_refused(
    monkeypatch: pytest.MonkeyPatch, days: str
) -> None:
    monkeypatch.setenv("PLYBOOK_CHALLENGE_DAYS", days)
    with pytest.raises(ValueError, match="PLYBOOK_CHALLENGE_DAYS is a number of days from 1 to 60"):
        from_environment()


@pytest.mark.parametrize("name", ["PLYBOOK_MAX_CLIENT_STREAMS", "PLYBOOK_MAX_OWN_STREAMS"])
@pytest.mark.parametrize("number", ["0", "-1"])
def test_a_share_of_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, number: str
) -> None:
    monkeypatch.setenv(name, number)
    with pytest.raises(ValueError, match=f"{name} is a number from 1"):
        from_environment()
