"""The games on the command line: which are meant, what a roll pays, what there is to choose. I/O: a TOML file, standard
output."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from scorekeeper import games, houserules
from scorekeeper.dice import Roll
from scorekeeper.options import ASK, Printed, Value, say
from scorekeeper.refusal import BadRules, Refusal, _
from scorekeeper.rules import RuleSet


def chosen(args: argparse.Namespace, *, ask: bool = False) -> RuleSet:
    """The rule set that the arguments name, a game of Kast's or a TOML file.

    What must be agreed before a game does not change what a roll pays: unless `ask`, the first choice will do.
    """
    if args.rules.endswith(".toml"):
        if args.option:
            raise BadRules(_("A TOML file says all itself: options go with a game of Kast's."))
        try:
            text = Path(args.rules).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BadRules(_("{path} cannot be read: {reason}."), path=args.rules, reason=reason) from error
        return houserules.from_toml(text)
    game = games.printed(args.rules)
    options: dict[str, Value] = {o.key: o.choices[0] for o in game.options if o.default == ASK and not ask}
    for text in args.option:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadRules(_("An option is written KEY=VALUE, not “{text}”."), text=text)
        options[key] = value
    return game.with_options(options)


def score(args: argparse.Namespace) -> int:
    """Print what every box pays for a roll."""
    playing = chosen(args)
    roll = Roll.of(*_dice("".join(args.dice), playing.dice))
    points = {box.key: box.score(roll) for box in playing.boxes}
    if args.json:
        print(json.dumps({"rules": playing.key, "roll": list(roll.dice), "boxes": points}))
    else:
        for key, pays in points.items():
            print(f"{key:16}{pays:5}")
    return 0


def _dice(text: str, expected: int) -> list[int]:
    digits = [sign for sign in text if sign not in " ,-"]
    wrong = next((sign for sign in digits if sign not in "123456"), None)
    if wrong:
        raise Refusal(_("A die shows 1 to 6, not “{sign}”."), sign=wrong)
    if len(digits) != expected:
        raise Refusal(_("This game is played with {dice} dice, not {seen}."), dice=expected, seen=len(digits))
    return [int(sign) for sign in digits]


def rules(args: argparse.Namespace) -> int:
    """Print the games and their options, or one of them as TOML."""
    if args.rules:
        playing = chosen(args)
        print(json.dumps(playing.as_dict()) if args.json else houserules.to_toml(playing))
    elif args.option:
        raise Refusal(_("Options go with a game: kast rules RULES --option KEY=VALUE."))
    elif args.json:
        print(json.dumps([_plain(game) for game in games.GAMES.values()]))
    else:
        for game in games.GAMES.values():
            print(f"{game.rules.key}: {game.rules.name}, {game.rules.dice} dice, {len(game.rules.boxes)} boxes")
            for option in game.options:
                default = "must be chosen" if option.default == ASK else f"default {say(option.default)}"
                print(f"    {option.key:18}{option.listed} ({default})")
    return 0


def _plain(game: Printed) -> dict[str, Any]:
    options = [
        {"key": o.key, "choices": list(o.choices), "default": None if o.default == ASK else o.default}
        for o in game.options
    ]
    return {"key": game.rules.key, "name": game.rules.name, "dice": game.rules.dice} | {
        "boxes": [box.key for box in game.rules.boxes],
        "options": options,
    }
