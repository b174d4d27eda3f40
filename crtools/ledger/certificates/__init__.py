"""Certificates: one JSON file per decided verdict, checked by the program in ``check`` without crtools."""

from crtools.ledger.certificates.folder import CertificateFolder, write_certificates

__all__ = ["CertificateFolder", "write_certificates"]
