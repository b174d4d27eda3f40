"""Which policy runs in this process, and how many of its requests are done, for a progress bar that another thread draws."""

import numpy as np


class Progress:
    """The policy that runs or "", the number of its requests, and the ``stop`` of the latest compiled loop, which counts them."""

    policy, n, stop = "", 1, np.zeros(2, np.int64)

    def __str__(self) -> str:
        """Return "fcfs 43 %, " while a compiled loop has completed some, "fcfs, " before, and "" between runs."""
        share = f" {100 * int(self.stop[1]) // self.n} %" if self.stop[1] else ""
        return f"{self.policy}{share}, " if self.policy else ""


current = Progress()
