"""Answers that are files to be kept: downloads, sent as they are made, compressed if wanted."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from flask import Response, request

from web.http.answers import BY_CALLER, OWN, known

VARY = f"Accept, Accept-Encoding, {BY_CALLER}"

_GZIP = zlib.MAX_WBITS | 16
"""How zlib is told to write gzip's header and trailer."""
_PACKED = ("image/png", "application/zip")


def file_answer(
    chunks: Iterable[bytes], *, name: str, kind: str, tag: str | None = None
) -> Response:
    """Answer with a download under a file name of ASCII letters, digits, ``.`` and ``-``.

    ``tag`` tells this content of the file from any other; who has it already gets 304.
    """
    packed = kind not in _PACKED and request.accept_encodings.quality("gzip") > 0
    headers = {"Cache-Control": OWN, "Vary": VARY}
    if tag is not None:
        # The same file packed is another sequence of bytes, and needs a tag of its own.
        headers["ETag"] = f'"{tag}z"' if packed else f'"{tag}"'
        if known(headers["ETag"]):
            answer = Response(status=304, headers=headers)
            del answer.headers["Content-Type"]
            return answer
    headers["Content-Disposition"] = f'attachment; filename="{name}"'
    if packed:
        headers["Content-Encoding"] = "gzip"
    body = _packed(chunks) if packed else chunks
    return Response(body, headers=headers, content_type=kind)


def _packed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=_GZIP)
    for chunk in chunks:
        some = packer.compress(chunk)
        if some:
            yield some
    yield packer.flush()
