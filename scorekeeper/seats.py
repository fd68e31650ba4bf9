"""Who sits at the table: names, the order of the turns, who is behind. Pure. May know: refusals.

Players are counted from 0 as they came, and keep their number whatever happens. The order is the numbers of those who
play on, first turn first; whoever is not in it has left.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.refusal import _, demand

MOST_PLAYERS, LONGEST_NAME = 12, 30


def name(others: Sequence[str], name: str) -> str:
    """The name as it is written down; IllegalEvent where it cannot be, or one of the others has it."""
    name = " ".join(name.split())
    demand(bool(name), _("A player needs a name."))
    demand(len(name) <= LONGEST_NAME, _("A name has at most {most} letters."), most=LONGEST_NAME)
    demand(name.isprintable(), _("A name is written with letters."))
    demand(
        name.casefold() not in (other.casefold() for other in others),
        _("There is a player called {name} already."),
        name=name,
    )
    return name


def demand_player(players: Sequence[str], player: int) -> None:
    """IllegalEvent where nobody has this number."""
    demand(0 <= player < len(players), _("There is no such player."))


def demand_order(players: Sequence[str], order: tuple[int, ...]) -> None:
    """IllegalEvent unless these are players, each once, and one at least."""
    demand(bool(order), _("Somebody has to play."))
    for player in order:
        demand_player(players, player)
        demand(order.count(player) == 1, _("{name} has one seat only."), name=players[player])


def beginning_with(order: tuple[int, ...], player: int) -> tuple[int, ...]:
    """The order of the turns from this player's on."""
    seat = order.index(player)
    return order[seat:] + order[:seat]


def behind(order: tuple[int, ...], rounds: Sequence[int]) -> dict[int, int]:
    """By player, how many rounds each is behind; whoever is not behind is left out.

    order: from the turn that is due on. rounds: by player, how many each has played. Behind is whoever will play after
    somebody who has played more: as long as turns are taken in order nobody is, whoever began.
    """
    most, found = 0, dict[int, int]()
    for player in order:
        if rounds[player] < most:
            found[player] = most - rounds[player]
        most = max(most, rounds[player])
    return found


def still_in(players: tuple[int, ...], throws: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Of the players of a roll-off, those who are not beaten: the highest die of each throw, one die each."""
    for dice in throws:
        players = tuple(player for player, die in zip(players, dice, strict=True) if die == max(dice))
    return players
