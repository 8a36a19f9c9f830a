"""Audits: does a stored or exported match hold? Nothing is believed that can be computed again.

One idea a module: ``chain`` (stored bytes, links, gaps, what stands beside them), ``seals``,
``decisions`` (rules, choices, dice, forced passes, results, instants), ``whole`` (the one judge of
a match that is open, stored or in a file), ``caches`` (lists and snapshots), ``everything`` (a
whole database), ``files`` (exports), ``against`` (all of these, against a checkpoint that was kept
elsewhere). They look and write nothing.
"""

from services.audits.auditing import Audits
from services.audits.chain import chain_fault
from services.audits.decisions import as_proposal
from services.audits.faults import Fault, Verdict
from services.audits.seals import seal_faults

__all__ = [
    "Audits",
    "Fault",
    "Verdict",
    "as_proposal",
    "chain_fault",
    "seal_faults",
]
