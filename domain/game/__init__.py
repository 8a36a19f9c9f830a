"""What a game is to everybody outside its package: rules, options, forms of moves, scenes."""
