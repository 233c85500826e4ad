"""A package, so that `tests.…` means this folder and not the `tests` that gpuhunt 0.1.34 leaves in site-packages."""
