"""The claims, a file a topic, in the order in which the theory is built."""

from __future__ import annotations

from crtools.papers.nonclairvoyant.claims import killing, offsets, orders, scaling, sharing

CLAIMS = (*orders.CLAIMS, *sharing.CLAIMS, *scaling.CLAIMS, *offsets.CLAIMS, *killing.CLAIMS)
