"""``python -m crtools``, and the program ``crtools``: its start can be interrupted like its work."""

import sys


def main() -> int:
    """Run the command line and return its exit code; Ctrl-C while it is still loaded ends it in one line, too."""
    from crtools.errors import InputError

    try:
        from crtools.cli import main as run
    except InputError as error:  # crtools is not installed
        print(f"crtools: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("crtools: interrupted", file=sys.stderr)
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
