"""SVG and PNG: one step of a match, with its colours and its letters."""

from __future__ import annotations

import json
from collections.abc import Mapping

from domain.json_types import Json
from domain.match.views import drawn
from services.drawing.raster import rasterised
from services.drawing.sheet import Caption, draw_sheet
from services.drawing.text.frames import Names, standing
from services.errors import Unavailable
from services.exchange.header import Subject
from services.matches.match_json import Shown
from services.replays.replay import Frame


def svg(subject: Subject, shown: Shown, frame: Frame) -> bytes:
    """Return a step as an SVG document that loads nothing from anywhere."""
    return draw_sheet(drawn(frame.view), _caption(subject, shown, frame)).encode()


def png(subject: Subject, shown: Shown, frame: Frame) -> bytes:
    """Return the same picture as a PNG; its comment is the JSON that the SVG has as metadata.

    Raises ``Unavailable``.
    """
    caption = _caption(subject, shown, frame)
    facts = json.dumps(dict(caption.facts), sort_keys=True)
    try:
        return rasterised(draw_sheet(drawn(frame.view), caption), facts)
    except OSError as error:
        raise Unavailable("The picture could not be painted.") from error


def _caption(subject: Subject, shown: Shown, frame: Frame) -> Caption:
    view, names = frame.view, Names(shown.names)
    sides = " against ".join(names.of_seat(view, seat) for seat in (1, 2))
    facts: Mapping[str, Json] = {
        "match": subject.match,
        "version": frame.version,
        "head": subject.head,
        "viewer": subject.viewer.value,
        "names": dict(subject.names),
    }
    lines = (
        sides,
        f"Match {subject.match}, event {frame.version} of {subject.events}",
        frame.text,
        standing(view, names).plain,
    )
    return Caption(view.game.name, lines, facts)
