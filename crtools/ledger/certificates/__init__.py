"""Certificates: one JSON file per decided verdict, checked by the program in ``check`` without crtools."""

from crtools.ledger.certificates.folder import Written, write_certificates

__all__ = ["Written", "write_certificates"]
