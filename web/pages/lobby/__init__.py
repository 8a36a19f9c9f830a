"""Pages around matches: the first page, lists, challenges, invitations, practice."""
