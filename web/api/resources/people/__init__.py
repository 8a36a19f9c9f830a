"""Endpoints of accounts and players."""
