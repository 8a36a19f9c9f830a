"""Web push: browsers that show notices, also while no page of ours is open in them."""
