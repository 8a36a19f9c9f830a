"""What players say and write beside a match: chat and notes."""
