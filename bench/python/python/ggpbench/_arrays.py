"""The type of the arrays that a batch shows."""

from __future__ import annotations

from typing import Any

import numpy as np


class Shown(np.ndarray):
    """An array that a batch writes into, and nobody else.

    It is read-only, which programs could not be told by DLPack before its version 1.0: NumPy lends
    them no read-only array. Such programs (JAX among them) are lent the memory all the same, as
    they read it only.
    """

    def __dlpack__(
        self, *, max_version: tuple[int, int] | None = None, **how: Any
    ) -> Any:
        if max_version is not None and max_version >= (1, 0):
            return np.asarray(self).__dlpack__(max_version=max_version, **how)
        lent = np.asarray(self).view()
        lent.flags.writeable = True
        return lent.__dlpack__(**how)
