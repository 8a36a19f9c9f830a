"""Exports: matches in the formats of other people's tools. docs/exports.md is their contract.

The law of this folder: it reads and never writes, and whatever it gives has gone through
``domain.match.views``, or through ``domain.log.event_format``, which says the same.
"""
