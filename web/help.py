"""What a player is helped with, as the page shows it. Pure.

May know: a game as the page shows it, advice; names only through a Language. Only the player whose turn it is gets any
help with it, and never more than that player has chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scorekeeper.advice import Keep, Play, Write
from scorekeeper.refusal import Refusal, _
from web.adviser import Advice, Working
from web.present import Table
from web.spread import Spread
from web.words import Language

EVEN = 0.005  # points: a play that costs less is as good as the best one
FEW = 5  # plays that are shown before the rest
BEST = "★"
TOGETHER = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Line:
    """A play of a list: in words, the total that it leads to on average, and what it costs against the best."""

    words: str
    total: str
    cost: str


@dataclass(frozen=True)
class Help:
    """What the player whose turn it is gets to see; `answer` is None where nothing was asked."""

    table: Table
    language: Language
    answer: Advice | Working | Refusal | None = None

    @property
    def level(self) -> str:
        """How much help the player whose turn it is has chosen."""
        return self.table.game.help[self.table.game.turn]

    @property
    def figures(self) -> bool:
        """Whether the player wants to see more than what is best, and it is known: estimates are not that good."""
        return self.level == "everything" and not self.working

    @property
    def advice(self) -> Advice | None:
        return self.answer if isinstance(self.answer, Advice) else None

    @property
    def trouble(self) -> str:
        """Why there is no advice, in words."""
        return self.language.explain(self.answer, self.table.rules.key) if isinstance(self.answer, Refusal) else ""

    @property
    def working(self) -> Working | None:
        """How far best play is worked out, where it is not; there may be an estimate meanwhile."""
        if isinstance(self.answer, Working):
            return self.answer
        return self.advice.working if self.advice else None

    @property
    def progress(self) -> str:
        """How far the work is, in words."""
        if not self.working:
            return ""
        done = _("The best play is being worked out: {share} done.")
        words = self.language.say(done, share=self.language.percent(self.working.share))
        if self.working.left is not None:
            words += " " + self.language.say(_("About {time} left."), time=self.language.duration(self.working.left))
        return words

    @cached_property
    def best(self) -> Line:
        """The best play."""
        assert self._first
        return self._line(self._first)

    @cached_property
    def others(self) -> list[Line]:
        """All other plays, best first."""
        return [self._line(play) for play in self.advice.plays[1:]] if self.advice else []

    @property
    def few(self) -> list[Line]:
        return self.others[:FEW]

    @property
    def rest(self) -> list[Line]:
        return self.others[FEW:]

    def _line(self, play: Play) -> Line:
        cost = self._cost(play)
        words = self.language.say(_("as good")) if cost < EVEN else self._points(cost)
        return Line(self._say(play), self.language.number(play.value), words)

    def _say(self, play: Play) -> str:
        if isinstance(play, Keep):
            template = _("Keep {dice}") if play.dice else _("Throw all dice again")
            return self.language.say(template, dice=TOGETHER.join(map(str, play.dice)))
        template = _("Write {points} in {box}") if play.points else _("Strike {box}")
        return self.language.say(template, points=play.points, box=self._box(play.box))

    @property
    def _first(self) -> Play | None:
        return self.advice.plays[0] if self.advice else None

    def _cost(self, play: Play) -> float:
        return self._first.value - play.value if self._first else 0.0

    def _points(self, points: float) -> str:
        """Points with one decimal, or two where one would say nothing."""
        return self.language.number(points, 1 if abs(points) >= 0.1 else 2)

    def _box(self, key: str) -> str:
        return self.language.box(self.table.rules.key, key)

    @property
    def marks(self) -> list[bool]:
        """For each die on the table, whether the best play keeps it. No die is marked where it is to write."""
        left = list(self._first.dice) if isinstance(self._first, Keep) else []
        marks = []
        for face in self.table.dice:
            marks.append(face in left)
            if face in left:
                left.remove(face)
        return marks

    @cached_property
    def _writes(self) -> dict[str, Write]:
        return {play.box: play for play in self.advice.plays if isinstance(play, Write)} if self.advice else {}

    def beside(self, box: str) -> str:
        """What stands in the cell of an open box: a star where filling it is best, else what it costs, if asked for."""
        play = self._writes.get(box)
        if not play:
            return ""
        if self._cost(play) < EVEN:
            return BEST if self.figures or play is self._first else ""
        return f"−{self._points(self._cost(play))}" if self.figures else ""

    def spoken(self, box: str) -> str:
        """The same for whoever hears the page."""
        beside = self.beside(box)
        if beside in ("", BEST):
            return self.language.say(_("best")) if beside else ""
        return self.language.say(_("costs {points}"), points=beside.removeprefix("−"))

    @property
    def saved(self) -> int:
        """Rerolls that the best play saves for a later turn."""
        saves = self.table.rules.saves_rerolls and isinstance(self._first, Write)
        return self.table.game.throws_left if saves else 0

    @property
    def to_win(self) -> str:
        """What gives a better chance to win than the play that is best for points, in words; nothing where none does.

        With the chance, if the player wants figures.
        """
        lead = self.advice.lead if self.advice else None
        if not lead or lead.play == self._first:
            return ""
        words = self.language.say(_("To win: {play}"), play=self._say(lead.play))
        return f"{words} ({self.language.percent(lead.chance, 1)})" if self.figures else words

    @property
    def winning(self) -> list[str]:
        """The best chance to win, and that with what is best for points, in sentences; nothing if it is not known."""
        lead, say = self.advice.lead if self.advice else None, self.language.say
        if not lead:
            return []
        if not self.to_win:
            same = _("The best play for points also gives the best chance to win: {share}.")
            return [say(same, share=self.language.percent(lead.chance, 1))]
        less = _("The best play for points wins {share} of the time.")
        return [f"{self.to_win}.", say(less, share=self.language.percent(lead.plain, 1))]

    @property
    def facts(self) -> list[str]:
        """The worth of a throw more, the chance of the bonus, the spread: as far as it is known, in sentences."""
        advice, say, number = self.advice, self.language.say, self.language.number
        found: list[str] = []
        if not advice:
            return found
        if advice.marker is not None:
            saved = _("A saved reroll is worth {points} points now.")
            template = saved if self.table.rules.saves_rerolls else _("A throw more is worth {points} points now.")
            found.append(say(template, points=self._points(advice.marker)))
        if advice.bonus is not None and self.table.rules.bonus.points:
            found.append(say(_("Chance of the bonus: {share}."), share=self.language.percent(advice.bonus)))
        if advice.spread is not None:
            template = _("Spread of the final total: ± {points} points (standard deviation).")
            found.append(say(template, points=number(advice.spread, 0 if advice.games else 1)))
        return found

    @cached_property
    def spread(self) -> Spread | None:
        """How simulated games end from here."""
        return Spread(self.advice.ends) if self.advice and self.advice.ends else None

    @property
    def usual(self) -> str:
        """What the plot of them shows, in words."""
        if not self.spread:
            return ""
        (low, high), (least, most) = self.spread.between(0.5), self.spread.between(0.9)
        template = _("Half of all games end between {low} and {high}, nine in ten between {least} and {most}.")
        return self.language.say(template, low=low, high=high, least=least, most=most)

    @property
    def counted(self) -> str:
        """How that is known."""
        if not self.advice:
            return ""
        played = _("Counted in {games} simulated games from the start of this turn.")
        drawn = _("Counted in {games} games, simulated for some turns, then drawn with the exact mean and spread.")
        template = drawn if self.advice.drawn else played
        return self.language.say(template, games=self.language.number(len(self.advice.ends), 0))

    @property
    def chances(self) -> list[tuple[str, str]]:
        """(box, chance) for each open box, the likeliest first."""
        chances = self.advice.chances if self.advice else {}
        likely = sorted(chances, key=lambda key: -chances[key])
        return [(self._box(key), self._chance(chances[key])) for key in likely]

    def _chance(self, share: float) -> str:
        """In tenths of a percent where it is small."""
        return self.language.percent(share, 1 if 0 < share < 0.1 else 0)
