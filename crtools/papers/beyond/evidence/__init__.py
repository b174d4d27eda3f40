"""What several claims of the ledger share."""
