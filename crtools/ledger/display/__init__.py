"""How a decided claim is shown: in full, on one line, as a card of a notebook, with the schedules of its evidence."""
