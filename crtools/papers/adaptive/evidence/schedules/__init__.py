"""Single schedules: against H-SF, in corresponding order, with less memory."""
