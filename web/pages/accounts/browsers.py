"""Notices in browsers (web push): registered, chosen, tried, and what was sent there."""

from __future__ import annotations

from flask import Response, request

from services.errors import InvalidRequest, InvalidWebhook, TooOften, Unavailable
from services.notices.push.browsers import Registration
from services.runtime.key_file import NoKey
from services.store.notices.channels import PUSH
from web.http.problems import PROBLEMS
from web.i18n import _
from web.pages.accounts.notices import (
    OFF_WORDS,
    TYPES_TO_CHOOSE,
    get_push_key,
    list_named_browsers,
    list_sent,
)
from web.pages.common.answers import answer_page, lead_to_done
from web.pages.common.forms import read_text
from web.pages.common.visitors import get_player, read_agent
from web.site import get_site


def act_on_browser() -> Response:
    """Register this browser, or do with one what was asked for: ``do`` is a button's name."""
    player, do = get_player().player, read_text("do")
    try:
        _do(player, do)
    except NoKey:
        return show_browsers(503)
    except (InvalidRequest, InvalidWebhook, TooOften, Unavailable) as refusal:
        return show_browsers(PROBLEMS[refusal.code].status, refusal.detail)
    return lead_to_done("pages.browsers", do)


def _do(player: str, do: str) -> None:
    browsers, browser = get_site().house.browsers, read_text("browser")
    if do == "register":
        keys = read_text("p256dh"), read_text("auth")
        browsers.register(player, Registration(read_text("endpoint"), *keys, read_agent()))
    elif do == "choose":
        browsers.choose(player, browser, request.form.getlist("type"))
    elif do == "test":
        browsers.test(player, browser)
    elif do == "forget":
        browsers.forget(player, browser)
    else:
        raise InvalidRequest(_("There is no such button on this page."))


def show_browsers(status: int = 200, error: str = "") -> Response:
    """Show a player the browsers in which they are told, and offer this one."""
    named = list_named_browsers()
    return answer_page(
        "accounts/browsers.html",
        status=status,
        error=error,
        done=request.args.get("done", ""),
        key=get_push_key(),
        browsers=named,
        names={one.id: name for one, name in named},
        types=TYPES_TO_CHOOSE,
        off_words=OFF_WORDS[PUSH],
        **list_sent(PUSH, "pages.browsers"),
    )
