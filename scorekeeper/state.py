"""A game as it stands: players, sheets, whose turn it is, and what lies on the table. May know: sheet, seats, rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from scorekeeper import seats
from scorekeeper.dice import Roll
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet


@dataclass(frozen=True)
class Game:
    """Players, the help they get and their sheets, whose turn it is, and what lies on the table.

    order: the players who play on, first turn first. Whoever is not in it has left.
    let_off: by player, how many rounds that were over before they came, or came back, they do not make up for.
    concealed: whether the totals are hidden until the end.
    roll_offs: of those who shared the first place, one die each, as often as they threw.
    """

    rules: RuleSet
    players: tuple[str, ...]
    help: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    order: tuple[int, ...]
    let_off: tuple[int, ...]
    concealed: bool = False
    roll_offs: tuple[tuple[int, ...], ...] = ()
    turn: int = 0
    roll: Roll | None = None
    throws: int = 0
    picture: str = field(default="", compare=False)

    @property
    def sheet(self) -> Sheet:
        """The sheet of the player whose turn it is."""
        return self.sheets[self.turn]

    @cached_property
    def finished(self) -> bool:
        """Whether nobody has a turn left."""
        return all(self.sheets[player].finished for player in self.order)

    @property
    def upcoming(self) -> tuple[int, ...]:
        """The players from the one whose turn it is on, in the order of their turns."""
        return seats.beginning_with(self.order, self.turn)

    @property
    def others(self) -> tuple[Sheet, ...]:
        """The sheets of the others who play on."""
        return tuple(self.sheets[player] for player in self.upcoming[1:])

    @property
    def behind(self) -> dict[int, int]:
        """By player, how many rounds each is behind who has a turn left."""
        written = [len(self.rules.boxes) - len(sheet.open) for sheet in self.sheets]
        rounds = [boxes + off for boxes, off in zip(written, self.let_off, strict=True)]
        found = seats.behind(self.upcoming, rounds)
        return {player: by for player, by in found.items() if not self.sheets[player].finished}

    @property
    def first(self) -> tuple[int, ...]:
        """Those who share the first place, in their order, also after the roll-offs so far; one who has it alone."""
        most = max(self.sheets[player].total for player in self.order)
        return seats.still_in(tuple(p for p in self.order if self.sheets[p].total == most), self.roll_offs)

    def is_advised(self, player: int) -> bool:
        """Whether the player has a turn left and wants to know what is best."""
        return not self.sheets[player].finished and self.help[player] in ("hint", "everything")

    @property
    def throws_left(self) -> int:
        """Throws that this turn may still use."""
        return 0 if self.finished else self.sheet.allowance - self.throws

    @cached_property
    def choices(self) -> dict[str, int]:
        """By box key: the points that the roll gives in each box that may be filled now."""
        if self.roll is None:
            return {}
        return {key: self.rules.boxes[self.rules.index(key)].score(self.roll) for key in self.sheet.legal}

    @property
    def strikes(self) -> tuple[str, ...]:
        """Keys of the boxes that may be struck now. Where throws are counted a strike costs one, and needs no dice."""
        return self.sheet.legal if not self.finished and (self.roll or self.rules.budget) else ()

    @property
    def places(self) -> tuple[int, ...]:
        """By player, the place from 1; equal totals share one, and the next place is left out.

        A roll-off parts those who share the first. Whoever has left comes after all others.
        """
        first = self.first

        def worth(player: int) -> tuple[bool, int, bool]:
            return player not in self.order, -self.sheets[player].total, player not in first

        places, place = dict[int, int](), 1
        for _worth, group in groupby(sorted(range(len(self.players)), key=worth), key=worth):
            sharing = list(group)
            places.update(dict.fromkeys(sharing, place))
            place += len(sharing)
        return tuple(places[player] for player in range(len(self.players)))
