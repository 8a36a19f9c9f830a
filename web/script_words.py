"""What scripts say, in the language of the page: in English it stands in the scripts themselves."""

from __future__ import annotations

from web.texts import ENGLISH, N_, _, language, ngettext

TEXTS = (
    N_("An event holds a number that is not whole."),
    N_("Checking …"),
    N_("Chosen: {steps}"),
    N_("Copied"),
    N_("Copy it from the field"),
    N_("Event {number}"),
    N_("Event {number} is missing."),
    N_("It can be checked elsewhere, by: plybook verify {address}"),
    N_("Live: news comes by itself"),
    N_("New message: {who}: {said}"),
    N_("News comes once a minute: many pages are open"),
    N_("Not all steps could be loaded."),
    N_("Pause"),
    N_("Play"),
    N_("Step {number} of {total}"),
    N_("The address of this step is copied."),
    N_("The connection is back."),
    N_("The connection is lost. What you entered is kept; trying again …"),
    N_("The connection is lost; trying again …"),
    N_("The events cannot be had: the server answers {status}."),
    N_("The server answers {status}."),
    N_("This browser does not let us copy; the address bar has the address of this step."),
    N_("This browser has no WebCrypto here: it needs https, or localhost."),
    N_("This cannot be chosen now."),
    N_("You are logged in as {name} now, so this page has been loaded anew."),
    N_("You are not logged in any more, so this page has been loaded anew."),
    N_("You are offline. The page goes on when the connection is back."),
    N_("no time"),
    N_("{events} events checked in this browser. Head {head}"),
    N_("{events} events, {seals} opened seals checked in this browser. Head {head}"),
    N_("{event} belongs to another match."),
    N_("{event} does not follow on the one before."),
    N_("{event} is not what was hashed."),
    N_("{event}: what was opened is not what was sealed."),
    N_("{number} steps a second"),
)
"""Every text that a script looks up."""

COUNTED = (
    ("{number} new event", "{number} new events"),
    ("{number} new move", "{number} new moves"),
    ("{number} way to go on", "{number} ways to go on"),
)
"""Texts about a number of things: of one, and of many."""

_MOST = 200
"""No language tells numbers apart by more than their last two digits."""


def script_words() -> dict[str, str | dict[int, str]] | None:
    """Return what scripts say in the language of the page, None in English.

    Of a text about a number, each form with the least number that takes it.
    """
    if language() == ENGLISH:
        return None
    return {
        **{text: _(text) for text in TEXTS},
        **{one: _forms(one, many) for one, many in COUNTED},
    }


def _forms(one: str, many: str) -> dict[int, str]:
    forms: dict[str, int] = {}
    for number in range(_MOST):
        forms.setdefault(ngettext(one, many, number), number)
    return {number: form for form, number in forms.items()}
