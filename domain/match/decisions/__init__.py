"""What a command leads to: the facts that it proposes, or why it is refused."""
