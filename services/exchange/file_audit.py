"""The verdict on a file of exports (NDJSON), without any database, match by match.

A match that has ended, all of whose seals are opened, is judged as one of the database is. Of
another one (it still runs, or it is what a seat or a spectator saw) the chain, the opened seals and
the order of its events are checked, and the verdict says what could not be. The header decides
nothing: what it says must be what the match's events say.

Whether a proof leads from a match's events to the root that it names is arithmetic; who has signed
that root only a list of keys can tell. A match that was made anew as a whole holds in itself, so
files, matches and databases are compared here with a checkpoint that was kept elsewhere, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import IO, NamedTuple

from domain.errors import Corruption
from domain.game.game import Viewer
from domain.game.registry import Games
from domain.json_types import Json, JsonObject
from domain.log.event_format import GENESIS, hash_bytes, restore_body, write_canonical
from domain.match import events
from domain.match.events import BOTH_SEATS, SERVER, Event, MatchCreated
from domain.match.kinds import ENDINGS
from domain.match.state import FINISHED, Match
from services.audits.audit import is_instant, judge_rows, judge_stream
from services.audits.chain import (
    CHAIN,
    CHECKPOINT,
    HEADER,
    SEALS,
    Fault,
    Verdict,
    check_chain,
    check_seals,
    limit_faults,
)
from services.checkpoints import verification
from services.checkpoints.documents import (
    Consistency,
    Proof,
    UnreadableDocument,
    read_consistency,
    read_proof,
)
from services.checkpoints.verification import Coverage, Mismatch
from services.exchange.block_format import FORMAT_VERSION
from services.exchange.block_reader import (
    HEADER_MEMBERS,
    LONGEST_NAME,
    MATCH_ID,
    Block,
    read_blocks,
    row_of_line,
)
from services.exchange.series_audit import SeriesAudit, find_status
from services.store.checkpoints import Checkpoint, Key
from services.store.db.engine import Database
from services.store.log import codec
from services.store.log.audits import RawRow


def _read_proofs(block: Block) -> tuple[Proof | None, Consistency | None]:
    """Return the proofs behind a block's events. Raises ``UnreadableDocument``."""
    proof = read_proof(block.proofs[0]) if block.proofs else None
    return proof, read_consistency(block.proofs[1]) if block.proofs[1:] else None


def _check_proofs(
    block: Block, keys: Collection[Key] | None
) -> tuple[list[Fault], tuple[str, ...]]:
    """Check the proofs behind a block's events; return what does not hold, and is not checked.

    ``keys``: those that are trusted; None: nobody has said which.
    """
    try:
        proof, link = _read_proofs(block)
    except UnreadableDocument as error:
        return [Fault(None, CHECKPOINT, str(error))], ()
    if proof is None:
        return [], ()
    hashes = dict(enumerate((str(line.value.get("hash")) for line in block.events), 1))
    found = [*verification.check_proof(proof, str(block.header.get("match")), hashes)]
    signed = [proof.checkpoint]
    if link is not None:
        found += verification.check_link(link, proof)
        signed.append(link.older)
    unchecked = []
    for checkpoint in signed:
        if keys is not None:
            found += verification.check_signature(checkpoint, keys)
        else:
            unchecked.append(
                f"the signature of the checkpoint of size {checkpoint.size} that the file brings "
                "along: say which keys you trust (--keys)"
            )
    return [_make_fault(one) for one in found], tuple(unchecked)


def check_header(header: JsonObject, stream: Sequence[Event]) -> Iterator[Fault]:
    """Yield what a header says of its match that its events, decoded, do not say."""
    if header.keys() != HEADER_MEMBERS:
        yield Fault(None, HEADER, "The header has too much or too little.")
        return
    if stream[-1].hash != header["head"]:
        yield Fault(None, CHAIN, "The last event is not the header's head: it was cut.")
    for name, value in _derive_header(stream).items():
        # As JSON, since Python takes 1, 1.0 and true for equal.
        if write_canonical(header[name]) != write_canonical(value):
            yield Fault(None, HEADER, f"The header's {name} is not that of the events.")
    if not MATCH_ID.fullmatch(stream[0].match):
        yield Fault(None, HEADER, "The header's match is no id of a match.")
    yield from _check_names(header["names"], stream)
    yield from _check_viewer(header["viewer"], stream)


def _check_names(names: Json, stream: Sequence[Event]) -> Iterator[Fault]:
    """Look at names, which stand outside of the chain: only whose they are can be known."""
    if type(names) is not dict or not names.keys() <= _list_players(stream):
        yield Fault(None, HEADER, "The header names somebody who does not play in this match.")
    elif not all(type(name) is str and 1 <= len(name) <= LONGEST_NAME for name in names.values()):
        yield Fault(None, HEADER, f"A name in the header is none of 1 to {LONGEST_NAME} letters.")


def _check_viewer(viewer: Json, stream: Sequence[Event]) -> Iterator[Fault]:
    """See to it that open is what the header's viewer sees, and nothing else."""
    if viewer not in [one.value for one in Viewer]:
        yield Fault(None, HEADER, "Nobody sees a match as the header's viewer.")
        return
    everything = viewer == Viewer.SERVER.value
    if everything and ENDINGS.get(stream[-1].kind) != FINISHED:
        yield Fault(None, HEADER, "Only of a finished match everything is open.")
    for event in stream:
        for seal in event.sealed:
            sees = everything or viewer in seal.audience
            if sees is not (seal.salt is not None):
                how = "closed" if sees else "open"
                detail = f"Event {event.version} has a seal that is {how}, to be seen by {viewer}."
                yield Fault(event.version, HEADER, detail)
                return


def _derive_header(stream: Sequence[Event]) -> JsonObject:
    """Return what the first and the last event, and those between, say of a match."""
    created, last = stream[0].fact, stream[-1].fact
    said: JsonObject = {
        "format_version": FORMAT_VERSION,
        "match": stream[0].match,
        "count": len(stream),
        "status": find_status(stream),
        "result": None,
    }
    if isinstance(created, events.MatchCreated):
        said |= {"game": created.game, "rules_version": created.rules_version}
    if isinstance(last, events.MatchEnded | events.MatchAborted):
        winner = last.winner if isinstance(last, events.MatchEnded) else None
        said["result"] = {"winner": winner, "reason": last.reason}
    return said


def _list_players(stream: Sequence[Event]) -> set[str]:
    found: list[Json] = []
    for event in stream:
        if isinstance(event.fact, events.MatchCreated):
            found += [event.fact.creator, event.fact.opponent]
        elif isinstance(event.fact, events.SeatTaken):
            found.append(event.fact.player)
    return {player for player in found if type(player) is str}


UNOPENED = "dice, legality and result: not all seals are opened in this file"
"""What cannot be repeated without the secret and the hidden moves."""
_AUDIENCES = frozenset((SERVER, *BOTH_SEATS))
_ODD = (Corruption, AttributeError, LookupError, TypeError, ValueError, RecursionError)


def judge_file(
    file: IO[bytes],
    games: Games,
    keys: Collection[Key] | None = None,
    kept: TrustedCheckpoint | None = None,
) -> Iterator[Verdict]:
    """Yield what verifying each match of a file came to; one that cannot be read is a fault.

    ``keys``: those that may have signed what the file proves itself by, if somebody knows them.
    ``kept``: a checkpoint to compare each match with.
    """
    series = SeriesAudit()
    for block in read_blocks(file):
        verdict = _judge_series(series, judge_block(block, games), block)
        faults, unchecked = _check_proofs(block, keys)
        verdict = verdict._replace(
            faults=[*verdict.faults, *faults], unchecked=(*verdict.unchecked, *unchecked)
        )
        if kept is not None:
            try:
                found = _compare_block(block, kept)
            except UnreadableDocument as error:
                found = Coverage(None, [Mismatch("", f"It cannot be compared: {error}")])
            verdict = _add_coverage(verdict, found)
        yield verdict


def _judge_series(series: SeriesAudit, one: JudgedBlock, block: Block) -> Verdict:
    """Add to the verdict on a match of a file what the matches before it there say."""
    verdict = one.verdict
    if verdict.broken:
        return verdict
    found = series.judge(one.stream, block.header["names"])
    return verdict._replace(
        faults=found.faults, unchecked=(*verdict.unchecked, *found.unchecked), series=found.told
    )


class JudgedBlock(NamedTuple):
    """What is said of a match of a file; ``match`` is its state, of one that is open and holds.

    ``stream``: its events, if they can be read.
    """

    verdict: Verdict
    rows: Sequence[RawRow] = ()
    match: Match | None = None
    stream: Sequence[Event] = ()


def judge_block(block: Block, games: Games) -> JudgedBlock:
    """Judge a match of a file, but for the proofs behind it."""
    match = str(block.header.get("match", f"What begins in line {block.line}"))[:40]

    def verdict(*faults: Fault, unchecked: tuple[str, ...] = ()) -> JudgedBlock:
        return JudgedBlock(Verdict(match, len(block.events), [*faults], unchecked))

    if block.fault is not None:
        return verdict(Fault(None, CHAIN, block.fault))
    try:
        rows = [row_of_line(line) for line in block.events]
        fault = check_chain(rows, str(block.header.get("match")))
    except _ODD as error:
        return verdict(Fault(None, CHAIN, f"Something in it is no event: {error}."))
    if fault is not None:
        return verdict(fault)
    try:
        stream = codec.decode(row[5:] for row in rows)
    except Corruption:
        return verdict(*judge_rows(rows, games).faults)
    in_header = [*check_header(block.header, stream)]
    ended = any(ENDINGS.get(event.kind) == FINISHED for event in stream)
    if not ended or any(seal.salt is None for event in stream for seal in event.sealed):
        found = verdict(*limit_faults(_check_stream(stream)), *in_header, unchecked=(UNOPENED,))
        return found._replace(stream=stream)
    faults, repeated = judge_stream(stream, rows, games)
    found = verdict(*faults, *in_header)
    state = None if repeated is None or found.verdict.faults else repeated.match
    return found._replace(rows=rows, match=state, stream=stream)


def _check_stream(stream: Sequence[Event]) -> Iterator[Fault]:
    """Yield what does not hold of a match whose decisions cannot be made again."""
    yield from check_seals(stream, complete=False)
    for event in stream:
        if not is_instant(event.at):
            detail = f"Event {event.version} has no instant as its time."
            yield Fault(event.version, CHAIN, detail)
        if not _is_sealed_for_some(event):
            detail = f"Event {event.version} is not sealed for those for whom it should be."
            yield Fault(event.version, SEALS, detail)
        if isinstance(event.fact, MatchCreated) is not (event.version == 1):
            detail = f"Event {event.version} does not stand where a match is created."
            yield Fault(event.version, CHAIN, detail)
    for before, one in pairwise(stream):
        if one.at < before.at:
            yield Fault(one.version, CHAIN, f"Event {one.version} goes back in time.")
        if before.kind in ENDINGS:
            yield Fault(one.version, CHAIN, f"Event {one.version} follows on the match's end.")


def _is_sealed_for_some(event: Event) -> bool:
    """Whether each seal has somebody whom it is for; the first event has one, for the server."""
    audiences = [one.audience for one in event.sealed]
    if isinstance(event.fact, MatchCreated):
        return audiences == [(SERVER,)]
    return all(audience and {*audience} <= _AUDIENCES for audience in audiences)


class TrustedCheckpoint(NamedTuple):
    """What somebody has kept elsewhere, and the proofs that they got since.

    ``keys``: the public keys that are trusted; None: those that the database itself names.
    ``proofs``, by match, and ``link`` go before those in an export.
    """

    checkpoint: Checkpoint
    keys: Collection[Key] | None = None
    proofs: Mapping[str, Proof] = {}
    link: Consistency | None = None


class ComparedExport(NamedTuple):
    """A match of a file: how many events it has there, and what the comparison gave."""

    match: str
    events: int
    coverage: Coverage


def compare_file(file: IO[bytes], kept: TrustedCheckpoint) -> Iterator[ComparedExport]:
    """Compare every match of an export with a checkpoint. Raises ``UnreadableDocument``."""
    empty = True
    for block in read_blocks(file):
        empty = False
        yield ComparedExport(
            str(block.header.get("match")), len(block.events), _compare_block(block, kept)
        )
    if empty:
        raise UnreadableDocument("There is no match in this file.")


def _compare_block(block: Block, kept: TrustedCheckpoint) -> Coverage:
    """Compare a match of a file with a checkpoint. Raises ``UnreadableDocument``."""
    if block.fault is not None:
        raise UnreadableDocument(block.fault)
    match = str(block.header.get("match"))
    hashes, broken = {0: GENESIS}, None
    for version, (number, _, value) in enumerate(block.events, 1):
        if (value.get("match"), value.get("version")) != (match, version):
            raise UnreadableDocument(f"Line {number} is not the next event of {match}.")
        if value.get("previous") != hashes[version - 1] and broken is None:
            broken = version
        try:
            hashes[version] = hash_bytes(restore_body(value))
        except (AttributeError, KeyError, TypeError) as error:
            raise UnreadableDocument(f"Line {number} is no line of an export.") from error
    proof, link = _read_proofs(block)
    coverage = verification.compare_export(
        kept.checkpoint,
        match,
        hashes,
        kept.proofs.get(match, proof),
        keys=kept.keys or (),
        consistency=kept.link or link,
    )
    if broken is None:
        return coverage
    detail = f"Event {broken} does not follow on the one before it."
    return Coverage(
        None, [*coverage.mismatches, Mismatch(verification.HISTORY, detail, match, broken)]
    )


def judge_match(database: Database, kept: TrustedCheckpoint, verdict: Verdict) -> Verdict:
    """Add to the verdict on a match of a database what the checkpoint says of that match."""
    found = verification.compare_match(database, kept.checkpoint, verdict.match, kept.keys)
    return _add_coverage(verdict, found)


def judge_database(
    database: Database, kept: TrustedCheckpoint, told: Callable[[int], None]
) -> Iterator[Verdict]:
    """Yield what does not go with a checkpoint, match by match; "" stands for the tree itself.

    ``told`` is called with the number of leaves that were looked at.
    """
    found = verification.compare_database(database, kept.checkpoint, kept.keys, told)
    for match, mismatches in groupby(found, lambda one: one.match or ""):
        yield Verdict(match, 0, [_make_fault(one) for one in mismatches])


def _add_coverage(verdict: Verdict, found: Coverage) -> Verdict:
    undecided = tuple(one.detail for one in found.mismatches if one.check == verification.UNDECIDED)
    new = [_make_fault(one) for one in found.mismatches if one.check != verification.UNDECIDED]
    # A proof in the file was looked at before, by itself.
    faults = [*verdict.faults, *(one for one in new if one not in verdict.faults)]
    unchecked = verdict.unchecked
    if not found.mismatches and found.version != verdict.events:
        unchecked = (*unchecked, _describe_uncovered(verdict.events, found.version))
    return verdict._replace(faults=faults, unchecked=unchecked, undecided=undecided)


def _describe_uncovered(events: int, version: int | None) -> str:
    if version is None:
        return "against the checkpoint: the match began after it was made"
    return f"events {version + 1} to {events} against the checkpoint: they came after it"


def _make_fault(mismatch: Mismatch) -> Fault:
    return Fault(mismatch.version, CHECKPOINT, mismatch.detail)
