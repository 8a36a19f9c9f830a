"""JSON: a replay that needs nothing else, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from domain.json_types import JsonObject
from services.exports.header import Subject
from services.replays import Frame, frame_json
from services.showing import Shown, match_json

FORMAT = "plybook/replay"
FORMAT_VERSION = 1


def document(
    subject: Subject,
    shown: Shown,
    setup: Sequence[JsonObject],
    frames: Sequence[Frame],
    proof: JsonObject | None,
) -> bytes:
    """Return the document.

    ``setup`` are the events before the first frame, ``frames`` those from there on; so all events
    that the export covers are in it, in order. ``proof`` is left out where there is none.
    """
    whole: JsonObject = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "header": subject.header(),
        "match": match_json(shown._replace(you=None)),
        "setup": list(setup),
        "frames": [frame_json(frame) for frame in frames],
    }
    if proof is not None:
        whole["proof"] = proof
    return orjson.dumps(whole) + b"\n"
