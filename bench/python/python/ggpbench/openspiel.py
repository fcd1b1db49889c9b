"""Games as OpenSpiel games, for its algorithms.

>>> import ggpbench.openspiel
>>> game = ggpbench.openspiel.game("tic-tac-toe-3x3")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])

Games without chance, whose players act in turn. Actions are codes, utilities are 1 for a win, 0 for a draw,
-1 for a loss. In games of hidden information a player's information state is the sequence of its own actions
and of what it perceived, and its observation is that without the order.
"""

from __future__ import annotations

import os

import numpy as np
import pyspiel

from ggpbench import _native
from ggpbench._seats import coded, names

__all__ = ["GgpGame", "GgpState", "game"]


def game(target: str | os.PathLike[str] | _native.Game, **load) -> GgpGame:
    """A game for OpenSpiel; arguments are those of :func:`ggpbench.load`."""
    return GgpGame(coded(target, **load))


def _game_type(game: _native.Game) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="ggpbench_" + game.id.replace("-", "_"),
        long_name=f"{game.title} ({game.engine})",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION
        if game.hidden
        else pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


class GgpGame(pyspiel.Game):
    """A game that OpenSpiel plays."""

    def __init__(self, game: _native.Game) -> None:
        if game.chance:
            raise _native.UnsupportedError(
                f"{game.id} has chance, whose outcomes this adapter does not show to OpenSpiel"
            )
        self.ggp = game
        self.labels = _Labels(names(game)[0])
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.labels),
            max_chance_outcomes=0,
            num_players=game.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=game.cap,
        )
        super().__init__(_game_type(game), info, {})

    def new_initial_state(self) -> GgpState:
        """The start."""
        return GgpState(self)

    def make_py_observer(self, iig_obs_type=None, params=None) -> _Observer:
        """Planes by kind and site, in games of full information the same for all players."""
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        return _Observer(self.ggp, iig_obs_type is not None and iig_obs_type.perfect_recall)


class _Labels(tuple):
    """Labels of actions, which copies of states share."""

    def __deepcopy__(self, memo: object) -> _Labels:
        return self


class GgpState(pyspiel.State):
    """A position that OpenSpiel plays."""

    def __init__(self, game: GgpGame) -> None:
        super().__init__(game)
        self.ggp = game.ggp
        self.labels = game.labels
        self.position = game.ggp.open()
        # What each player did and perceived, in games of hidden information.
        self.known = [self._perceived(player) for player in range(game.ggp.players)]

    def _perceived(self, player: int) -> list[str]:
        return [", ".join(self.position.percepts(player))] if self.ggp.hidden else []

    def _is_cut(self) -> bool:
        # Where an action is legal that has no code, there are no codes.
        return self.position.plies >= self.ggp.cap or not self.position.codes()

    def current_player(self) -> int:
        """Who acts, or ``pyspiel.PlayerId.TERMINAL``."""
        turn = self.position.turn
        return pyspiel.PlayerId.TERMINAL if turn is None or self._is_cut() else turn

    def _legal_actions(self, player: int) -> list[int]:
        if self._is_cut() or player != self.position.turn:
            return []
        return sorted(self.position.codes())

    def _apply_action(self, action: int) -> None:
        turn = self.position.turn
        if self.ggp.hidden and turn is not None:
            self.known[turn].append(f"did {self.labels[action]}")
        self.position.apply_code(action)
        for player, known in enumerate(self.known):
            known += self._perceived(player)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.labels[action]

    def is_terminal(self) -> bool:
        """True if it is over, or reached the ply cap."""
        return self.position.is_over or self._is_cut()

    def returns(self) -> list[float]:
        """Utility of each player; all 0 before the end, and at the ply cap."""
        return self.position.returns()

    def __str__(self) -> str:
        """The position drawn in text."""
        return self.position.draw()


class _Observer:
    """Writes planes as a flat tensor of float32."""

    def __init__(self, game: _native.Game, recall: bool) -> None:
        self.sites = game.sites if game.hidden else None
        self.recall = recall
        _, kinds, sites = names(game)
        shape = (len(kinds), len(sites))
        self.tensor = np.zeros(shape[0] * shape[1], np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: GgpState, player: int) -> None:
        """Looks at a state."""
        np.copyto(self.dict["planes"], state.position.planes(player))

    def string_from(self, state: GgpState, player: int) -> str:
        """A state as text: what ``player`` knows of it."""
        if self.sites is None:
            return state.position.draw()
        if self.recall:
            return "; ".join(state.known[player])
        kinds = zip(("now", "before"), state.position.planes(player))
        seen = (f"{kind}: {', '.join(self.sites[i] for i in np.flatnonzero(plane))}" for kind, plane in kinds)
        return "; ".join(seen)
