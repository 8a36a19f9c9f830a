"""The pages as one blueprint, with what all their templates need."""

from __future__ import annotations

from typing import Any

from flask import Blueprint

from web.pages import games, match, matches
from web.pages.failures import answer_failure
from web.pages.words import clock, count, ending, option, player_mark
from web.site import this_site

pages = Blueprint("pages", __name__)
pages.add_url_rule("/", "matches", matches.show_matches)
pages.add_url_rule("/m/<match_id>", "match", match.show_match)
pages.add_url_rule("/games/<slug>", "game", games.show_game)
pages.register_error_handler(Exception, answer_failure)
for helper in (clock, count, ending, option, player_mark):
    pages.add_app_template_filter(helper)


@pages.context_processor
def _everywhere() -> dict[str, Any]:
    """Give every template the games, whose rule books every page links to."""
    return {"games": list(this_site().house.games)}
