"""What a process needs before it serves anybody: settings, log, clock, chance, the server."""
