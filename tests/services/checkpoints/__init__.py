"""Signed checkpoints: the tree, the sequencer, keys, proofs, and what they find."""
