"""The claims, a file a topic, in the order in which the theory is built."""

from importlib.resources import files

from crtools.ledger.claim import with_variants
from crtools.papers.nonclairvoyant.claims import killing, offsets, orders, scaling, sharing

_CLAIMS = (*orders.CLAIMS, *sharing.CLAIMS, *scaling.CLAIMS, *offsets.CLAIMS, *killing.CLAIMS)

CLAIMS = with_variants(_CLAIMS, files("crtools.papers.nonclairvoyant") / "variants.txt")
