"""Matches in and out as files; docs/exports.md is their contract.

``exports`` gives one match or a choice of many, in the ``formats`` there are, by ``block_format``
(NDJSON) and ``table`` (CSV), with ``proofs``; ``resume`` goes on with one that broke off.
``imports`` takes in what ``block_reader`` reads; ``file_audit`` is the verdict on a file.
``verify_match`` is the standalone verifier, which imports nothing of ours.

The law of this folder: whatever an export gives has gone through ``domain.match.views``, or through
``domain.log.event_format``, which says the same.
"""
