"""Scenes as SVG: one renderer for every game there is and every game to come.

The law of this folder: it reads ``domain.game.scene`` and nothing else of ours. It knows
shapes, kinds and marks, never a game, and it is given what a viewer may see, never
a position. What it writes carries classes and presentation attributes, no style
attribute, no script and no reference to anything outside itself, so that it stands
under the strictest content security policy.
"""

from services.drawing.svg.cards import draw_readable
from services.drawing.svg.picture import NOWHERE, Way, Ways, draw_zone, is_night
from services.drawing.svg.thumbnails import draw_thumbnail

__all__ = ["NOWHERE", "Way", "Ways", "draw_readable", "draw_thumbnail", "draw_zone", "is_night"]
