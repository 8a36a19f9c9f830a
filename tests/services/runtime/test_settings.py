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


@pytest.mark.parametrize(
    ("name", "number", "least"),
    [
        *(("PLYBOOK_MAX_CLIENT_STREAMS", number, 1) for number in ("0", "-1")),
        *(("PLYBOOK_MAX_OWN_STREAMS", number, 1) for number in ("0", "-1")),
        *(("PLYBOOK_WORKERS", number, 1) for number in ("0", "-1")),
        *(("PLYBOOK_PORT", number, 1) for number in ("0", "-1", "65536")),
        ("PLYBOOK_TOKEN_DAYS", "0", 1),
        ("PLYBOOK_RATE_LIMIT", "-1", 0),
        ("PLYBOOK_TRUSTED_PROXIES", "-1", 0),
    ],
)
def test_a_number_that_cannot_be_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, number: str, least: int
) -> None:
    monkeypatch.setenv(name, number)
    with pytest.raises(ValueError, match=f"{name} is a number from {least}"):
        from_environment()


@pytest.mark.parametrize("name", ["TOKEN_DAYS", "SESSION_DAYS", "NOTICE_DAYS"])
def test_more_days_than_a_calendar_has_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(f"PLYBOOK_{name}", "36500")
    assert getattr(from_environment(), name.lower()) == 36500
    monkeypatch.setenv(f"PLYBOOK_{name}", "1000000")
    with pytest.raises(ValueError, match=f"PLYBOOK_{name} is at most 36500"):
        from_environment()


@pytest.mark.parametrize("name", ["DOWNTIME_GRACE", "SWEEP_INTERVAL", "IDLE_SECONDS"])
def test_more_seconds_than_a_timer_takes_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(f"PLYBOOK_{name}", "99999999999999")
    with pytest.raises(ValueError, match=f"PLYBOOK_{name} is at most 2147483647"):
        from_environment()


@pytest.mark.parametrize("name", ["RATE_LIMIT", "MAX_EXPORTS", "SWEEP_INTERVAL", "DOWNTIME_GRACE"])
def test_a_number_may_be_zero_where_that_means_something(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(f"PLYBOOK_{name}", "0")
    assert getattr(from_environment(), name.lower()) == 0


@pytest.mark.parametrize("host", ["[x", "mail\u2100.example"])
def test_an_address_that_cannot_be_read_is_refused_by_its_setting_and_tells_no_password(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("PLYBOOK_SMTP_URL", f"smtp://me:secret@{host}")
    with pytest.raises(ValueError, match="PLYBOOK_SMTP_URL is an address such as") as refused:
        from_environment()
    assert "secret" not in str(refused.value)
    monkeypatch.setenv("PLYBOOK_PUBLIC_URL", f"https://{host}/plybook")
    with pytest.raises(ValueError, match="PLYBOOK_PUBLIC_URL is an address such as"):
        from_environment()
