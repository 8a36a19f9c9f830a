"""The log of events: written, read, exported, audited, and snapshots of what it folds to."""
