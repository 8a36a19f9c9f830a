"""JSON: a replay that needs nothing else, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from domain.json_types import JsonObject
from services.exchange.header import Subject
from services.exchange.proofs_of_exports import Proved
from services.matches.match_json import Shown, match_json
from services.replays.replay import Frame, frame_json

FORMAT = "plybook/replay"
FORMAT_VERSION = 1


def document(
    subject: Subject,
    shown: Shown,
    setup: Sequence[JsonObject],
    frames: Sequence[Frame],
    proved: Proved | None,
) -> bytes:
    """Return the document.

    ``setup`` are the events before the first frame, ``frames`` those from there on; so all events
    that the export covers are in it, in order. ``proof`` and ``consistency`` are left out where
    there are none.
    """
    whole: JsonObject = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "header": subject.header(),
        "match": match_json(shown._replace(you=None, imported=None)),
        "setup": list(setup),
        "frames": [frame_json(frame) for frame in frames],
    }
    if proved is not None:
        named = proved._asdict().items()
        whole.update({name: value for name, value in named if value is not None})
    return orjson.dumps(whole) + b"\n"
