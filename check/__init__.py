"""The independent checker of certificates: the standard library only, no code of crtools."""
