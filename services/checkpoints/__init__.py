"""Signed checkpoints: what the service cannot take back.

A Merkle tree grows over the heads of all matches, and what it has come to is signed now and
then. Whoever keeps a checkpoint elsewhere can tell when the past was changed afterwards.

``sequencer`` adds heads to the tree and signs; ``keys`` has what it signs with; ``documents`` says
what is signed and how it is read; ``proofs`` answers those who ask; ``verification`` holds a
database, or one match, against a checkpoint that was kept elsewhere.

The law of this folder: nobody who plays waits for it. It follows the feed of all events, and
adds to tables that only grow.
"""
