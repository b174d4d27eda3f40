"""What the text's theorems on forms say in words, tried on small values: each function returns None, or where it fails."""

from __future__ import annotations
