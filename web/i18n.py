"""The language of pages: their texts are looked up in gettext's catalogues, English is in the code.

Sentences that come from further inside (``domain.i18n``) are looked up where they are shown: by
templates themselves, and by ``translate`` in code. What scripts say stands in the scripts in
English; in other languages pages give them the words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from flask import Flask, g, has_request_context, request
from jinja2.runtime import Context
from jinja2.utils import pass_context

from domain import i18n
from domain.game.scene import LETTERS
from domain.i18n import People, Said
from services.runtime.languages import ENGLISH, list_languages, load_catalogue

N_ = i18n.N_
"""Marks a text that is kept in a table; whoever shows it looks it up."""

T = TypeVar("T")


def install_texts(app: Flask) -> None:
    """Give templates ``_``, ``ngettext`` and ``trans`` blocks, and the name of the language."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    # A sentence may be folded in a template; a catalogue has it on one line.
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    texts = cast("dict[str, Any]", app.jinja_env.globals)
    texts.update({name: _make_look_up(texts[name]) for name in ("_", "gettext", "ngettext")})
    app.jinja_env.globals["language"] = get_language
    # Whatever a template shows: a sentence from further inside is translated there.
    app.jinja_env.finalize = translate


def speak(name: str | None) -> None:
    """Let the present page be in the language that its reader has chosen, if there is one."""
    if name in list_languages():
        g.language = name


def get_language() -> str:
    """Return the language of the present page: of those that there are, what the reader likes."""
    if not has_request_context():
        return ENGLISH
    found: str | None = g.get("language")
    if found is None:
        found = g.language = request.accept_languages.best_match(list_languages()) or ENGLISH
    return found


def format_vary() -> str:
    """Return the ``Vary`` of a page: whose it is, and where there are others, its language."""
    return "Cookie, Accept-Language" if len(list_languages()) > 1 else "Cookie"


def _(text: str) -> str:
    """Return a text in the language of the present page."""
    found = load_catalogue(get_language())
    return text.tell_in(found, get_people()) if isinstance(text, Said) else found.gettext(text)


def translate(value: T, whom: People | None = None) -> T | str:
    """Return a sentence in the language of the present page, and anything else as it is.

    ``whom``: whose names stand in it, left out those of the page.
    """
    if not isinstance(value, Said):
        return value
    return value.tell_in(load_catalogue(get_language()), whom or get_people())


def get_people() -> People | None:
    """Return whose names stand in the sentences of the present page; None outside of pages."""
    return g.get("people", _NOBODY) if has_request_context() else None


_NOBODY = People(LETTERS, None, {})
"""Where no match is spoken of, seats have the letters of the boards."""


def speak_of(whom: People | None) -> None:
    """Let the sentences of the present page be about these people."""
    g.people = whom


def ngettext(one: str, many: str, number: int) -> str:
    """Return the text for so many things in the language of the present page."""
    return load_catalogue(get_language()).ngettext(one, many, number)


def _make_look_up(look_up: Callable[..., str]) -> Callable[..., str]:
    """Let a look-up of templates translate what is put into the text, too."""

    @pass_context
    def look_up_all(context: Context, *texts: Any, **values: Any) -> str:  # noqa: ANN401 - Jinja's
        return look_up(
            context, *texts, **{name: translate(value) for name, value in values.items()}
        )

    return look_up_all


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
    N_("The address of this step is copied."),
    N_("The browser has not used a passkey."),
    N_("The connection is back."),
    N_("The connection is lost. What you entered is kept; trying again …"),
    N_("The connection is lost; trying again …"),
    N_("The events could not be loaded: the server answers {status}."),
    N_("The server answers {status}."),
    N_("This browser does not let us copy; the address bar has the address of this step."),
    N_("This browser has no WebCrypto here: it needs https, or localhost."),
    N_("This cannot be chosen now."),
    N_("You are logged in as {name} now, so this page was reloaded."),
    N_("You are not logged in any more, so this page was reloaded."),
    N_("You are offline. The page goes on when the connection is back."),
    N_("no time"),
    N_("{events} events checked in this browser. Head {head}"),
    N_("{events} events, {seals} opened seals checked in this browser. Head {head}"),
    N_("{event} belongs to another match."),
    N_("{event} does not follow on the one before."),
    N_("{event} is not what was hashed."),
    N_("{event}: what was opened is not what was sealed."),
    N_("{number} a second"),
)
"""Every text that a script looks up."""

COUNTED = (
    ("{number} new", "{number} new"),
    ("{number} new event", "{number} new events"),
    ("{number} new move", "{number} new moves"),
    ("{number} way to go on", "{number} ways to go on"),
)
"""Texts about a number of things: of one, and of many."""

_MOST = 200
"""No language tells numbers apart by more than their last two digits."""


def find_script_words() -> dict[str, str | dict[int, str]] | None:
    """Return what scripts say in the language of the page, None in English.

    Of a text about a number, each form with the least number that takes it.
    """
    if get_language() == ENGLISH:
        return None
    return {
        **{text: _(text) for text in TEXTS},
        **{one: _list_forms(one, many) for one, many in COUNTED},
    }


def _list_forms(one: str, many: str) -> dict[int, str]:
    forms: dict[str, int] = {}
    for number in range(_MOST):
        forms.setdefault(ngettext(one, many, number), number)
    return {number: form for form, number in forms.items()}
