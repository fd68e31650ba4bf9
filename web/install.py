"""What a device asks for when Kast is put on its home screen. May know: Flask, the language.

There is no service worker. Browsers run none on http nor behind a certificate of one's own, and one that answers from
a store could show a score that is no longer so; where Kast is not reached, the open page says so.
"""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, url_for

from scorekeeper.refusal import _

blueprint = Blueprint("install", __name__)

GROUND = "#f5f1e8"  # the light theme's, as in kast.css: a manifest knows one colour
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable.png", 512, "maskable"))


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """The web application manifest (W3C), in the language of the browser."""
    answer = jsonify(
        name="Kast",
        short_name="Kast",
        description=g.language.say(_("You throw the dice. Kast keeps the score.")),
        lang=g.language.code,
        id="/",
        start_url="/",
        scope="/",
        display="standalone",
        background_color=GROUND,
        theme_color=GROUND,
        icons=[
            {
                "src": url_for("static", filename=file),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for file, size, purpose in ICONS
        ],
    )
    answer.mimetype = "application/manifest+json"
    answer.vary.add("Accept-Language")
    return answer
