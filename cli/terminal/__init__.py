"""The terminal itself: output, single keys, options that commands share, exit codes."""
