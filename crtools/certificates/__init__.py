"""Certificates: one JSON file per decided verdict, checked by ``crtools_check.py`` with the standard library only."""

from crtools.certificates.folder import Written, write_certificates

__all__ = ["Written", "write_certificates"]
