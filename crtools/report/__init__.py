"""A whole ledger as text (``terminal``), as an HTML page (``page``) and as errata (``errata``). Tests: tests/report."""
