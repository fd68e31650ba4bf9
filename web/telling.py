"""What was done last, and what is done now, in words. Pure. May know: a game as the page shows it, the languages."""

from __future__ import annotations

from scorekeeper.events import (
    Amended,
    Concealed,
    Helped,
    Joined,
    Renamed,
    Reread,
    Rolled,
    RolledOff,
    Scored,
    Seated,
    Turned,
)
from scorekeeper.game import Game
from scorekeeper.history import Entry, History
from scorekeeper.refusal import _
from web.present import Table, together
from web.words import Language

MOST_SPOKEN = 3  # boxes: nobody listens to a longer list


def last_act(table: Table, language: Language) -> str:
    """What was done last, in words; nothing where it was a roll or the beginning."""
    path, history = table.history.path, table.history
    return tell(history.entries[path[-1]], history.games[path[-2]], table.game, language) if len(path) > 1 else ""


def tell(entry: Entry, before: Game, after: Game, language: Language) -> str:
    """What this entry did, in words; nothing for a roll."""
    match entry:
        case Scored(key, points):
            template = _("{name} wrote {points} in {box}.") if points else _("{name} struck {box}.")
            box = language.box(before.rules.key, key)
            return language.say(template, name=before.players[before.turn], points=points, box=box)
        case Amended(player, key):
            box = language.box(before.rules.key, key)
            was, now = before.sheets[player].points(key), after.sheets[player].points(key)
            template = _("{box} of {name} was corrected: {was} → {now}.")
            name = before.players[player]
            return language.say(template, name=name, box=box, was=_written(was), now=_written(now))
        case RolledOff():
            names = together([after.players[player] for player in after.first], language)
            template = _("{names} threw equally high.") if len(after.first) > 1 else _("{names} won the roll-off.")
            return language.say(template, names=names)
        case Concealed(hidden):
            return language.say(_("The totals are hidden until the end.") if hidden else _("The totals are shown."))
    return _tell_of_people(entry, before, language)


def spoken(table: Table, language: Language) -> str:
    """What somebody who reads aloud says now: the roll and what it gives, or what was done and whose turn it is."""
    game, say = table.game, language.say
    if game.roll and table.last_was_throw:
        pays = sorted(game.choices.items(), key=lambda choice: -choice[1])[:MOST_SPOKEN]
        boxes = [f"{language.box(game.rules.key, key)} {points}" for key, points in pays if points]
        heard = [say(_("{name} threw {dice}."), name=table.player, dice=", ".join(map(str, sorted(table.dice))))]
        if boxes and game.help[game.turn] != "none":
            heard.append(f"{', '.join(boxes)}.")
        return " ".join(heard)
    heard = [last_act(table, language)]
    before = table.history.games[table.history.path[-2]] if len(table.history.path) > 1 else None
    if before and isinstance(table.history.entries[table.history.path[-1]], Scored) and not table.conceals:
        total = game.sheets[before.turn].total
        heard.append(say(_("{name} has {total}."), name=game.players[before.turn], total=total))
    if table.active is not None:
        heard.append(say(_("It is the turn of {name}."), name=table.player))
    elif len(game.order) > 1:
        winners, shared = together(table.winners, language), len(table.winners) > 1
        heard.append(
            say(_("{names} share the first place."), names=winners) if shared else say(_("{name} wins!"), name=winners)
        )
    return " ".join(filter(None, heard))


def _written(points: int | None) -> str:
    return "–" if points is None else str(points)


def beside_turns(history: History, language: Language) -> list[tuple[int, str]]:
    """What was done beside throwing and writing, and counts: (number of its entry, words), oldest first."""
    found = []
    for seq in history.path[1:]:
        entry = history.entries[seq]
        if not isinstance(entry, Rolled | Reread | Scored):
            found.append((seq, tell(entry, history.games[seq - 1], history.games[seq], language)))
    return found


def trace(history: History, player: int, box: str, language: Language) -> list[str]:
    """All that was ever written in this box of a player, counted from 0, and counts: in words, oldest first."""
    found = []
    for seq in history.path[1:]:
        before, entry = history.games[seq - 1], history.entries[seq]
        if entry == Amended(player, box, getattr(entry, "points", None)) or (
            isinstance(entry, Scored) and (before.turn, entry.box) == (player, box)
        ):
            found.append(tell(entry, before, history.games[seq], language))
    return found


def _tell_of_people(entry: Entry, before: Game, language: Language) -> str:
    match entry:
        case Joined(name):
            return language.say(_("{new} plays too."), new=name)
        case Renamed(player, name):
            return language.say(_("{name} is now called {new}."), name=before.players[player], new=name)
        case Helped(player, chosen):
            words = language.help(chosen)
            return language.say(_("Help for {name}: {help}"), name=before.players[player], help=words)
        case Turned(player):
            return language.say(_("It is the turn of {name}."), name=before.players[player])
        case Seated(order):
            return _tell_of_seats(order, before, language)
    return ""


def _tell_of_seats(order: tuple[int, ...], before: Game, language: Language) -> str:
    gone = [before.players[player] for player in before.order if player not in order]
    come = [before.players[player] for player in order if player not in before.order]
    if gone and not come:
        return language.say(_("{names} left. The sheet stays."), names=together(gone, language))
    if come and not gone:
        return language.say(_("{new} plays too."), new=together(come, language))
    names = together([before.players[player] for player in order], language)
    return language.say(_("The turns go: {names}."), names=names)
