"""Games as Gymnasium environments for one agent; all other seats are played at random.

>>> import gymnasium
>>> import ggpbench.gymnasium
>>> env = gymnasium.make("ggpbench/tic-tac-toe-3x3-v0", seat=0)
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())

The second line registers ``ggpbench/GAME-v0`` for each id in :func:`ggpbench.games`; other games
have ``GgpEnv("mygame.lud")``. (Gymnasium reads no entry points since its version 1.0, so somebody
has to import the module; ``gymnasium.make("ggpbench.gymnasium:ggpbench/chess-v0")`` does so, too.)

An observation has shape ``(kinds, sites)``, uint8; ``info["action_mask"]`` has shape
``(num_actions,)``, int8. The reward comes at the end: 1 for a win, 0 for a draw, -1 for a loss. An
action that is not legal ends the episode with reward -1 and ``info["illegal"]``, since agents that
do not look at masks draw such. A ``render_mode`` is ``"ansi"`` (text), ``"svg"`` (text, too) or
``"rgb_array"``.
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ggpbench import _native
from ggpbench._seats import RENDER_MODES, check_mode, coded, names, render

__all__ = ["GgpEnv", "register"]


class GgpEnv(gymnasium.Env):
    """A game in which the agent has one seat. Arguments but for ``seat`` and
    ``render_mode`` are those of :func:`ggpbench.load`."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        target: str | os.PathLike[str] | _native.Game,
        seat: int = 0,
        render_mode: str | None = None,
        **load,
    ) -> None:
        self.game = coded(target, **load)
        if not 0 <= seat < self.game.players:
            raise ValueError(f"seat {seat}: expected a number below {self.game.players}")
        self.seat = seat
        self.render_mode = check_mode(render_mode, self.metadata["render_modes"])
        actions, kinds, sites = names(self.game)
        self.observation_space = spaces.Box(0, 1, (len(kinds), len(sites)), np.uint8)
        self.action_space = spaces.Discrete(len(actions))
        self.position = self.game.open()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts anew, and plays for the others until the agent is to act."""
        super().reset(seed=seed)
        self.position = self.game.open(int(self.np_random.integers(1 << 63)))
        self._play_others()
        return self.position.planes(self.seat), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays an action by its code, then for the others until the agent is to act again."""
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r}: expected an int below {self.game.num_actions}")
        if int(action) not in self.position.codes():
            info = self._info() | {"illegal": True}
            return self.position.planes(self.seat), -1.0, True, False, info
        self.position.apply_code(int(action))
        self._play_others()
        over = self.position.is_over
        reward = self.position.returns()[self.seat]
        cut = not over and (self._is_cut() or not self.position.codes())
        return self.position.planes(self.seat), reward, over, cut, self._info()

    def _is_cut(self) -> bool:
        return self.position.plies >= self.game.cap

    def _play_others(self) -> None:
        while self.position.turn not in (None, self.seat) and not self._is_cut():
            actions = len(self.position.codes())
            if actions == 0:
                return
            self.position.apply(int(self.np_random.integers(actions)))

    def _info(self) -> dict[str, Any]:
        mask = self.position.mask().astype(np.int8)
        return {"action_mask": mask if self.position.turn == self.seat else mask * 0}

    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """The position as the render mode has it."""
        return render(self.position, self.render_mode)


def register() -> None:
    """Registers ``ggpbench/GAME-v0`` for each game of the catalogue that is not registered yet;
    importing this module has done so. What :func:`gymnasium.make` is given goes to
    :class:`GgpEnv`. The version counts changes of observations and actions."""
    for game in _native.games():
        name = f"ggpbench/{game}-v0"
        if name not in gymnasium.registry:
            entry = "ggpbench.gymnasium:GgpEnv"
            gymnasium.register(name, entry, kwargs={"target": game})


register()
