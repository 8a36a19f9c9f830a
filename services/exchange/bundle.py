"""A bundle: a match, what the signed checkpoints say about it, and the program that checks it."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from domain.log.event_format import canonical
from services.errors import NotFound
from services.exchange.header import Subject
from services.exchange.proofs_of_exports import Proved
from services.exchange.verifier import NAME, verifier


def bundle(subject: Subject, block: bytes, proved: Proved | None) -> bytes:
    """Return a zip file; the same match and proof give the same bytes.

    ``block`` is the match as NDJSON. Without a proof (no checkpoint has the match yet) there are
    neither ``proof.json`` nor ``checkpoint.json``; ``consistency.json`` is there if it was asked
    for.
    """
    members = {f"{subject.match}.ndjson": block}
    if proved is not None:
        proof, link = proved
        members["proof.json"] = canonical(proof) + b"\n"
        members["checkpoint.json"] = canonical(proof["checkpoint"]) + b"\n"
        if link is not None:
            members["consistency.json"] = canonical(link) + b"\n"
    with suppress(NotFound):
        members[NAME] = verifier()
    packed = BytesIO()
    at = subject.at
    when = (*map(int, (at[:4], at[5:7], at[8:10], at[11:13], at[14:16], at[17:19])),)
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = ZipInfo(name, (when[0], when[1], when[2], when[3], when[4], when[5]))
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
    return packed.getvalue()
