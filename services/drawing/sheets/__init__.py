"""Single pictures of a step that need nothing around them: SVG with its colours, and PNG.

On a page a style sheet paints what ``services.drawing.svg`` draws. Here the paint is written into
each element, so that a picture is the same in any viewer, and in the rasteriser, which knows
neither variables nor most selectors.
"""
