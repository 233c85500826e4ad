"""Watch a user's own training script while it runs unchanged, in its own interpreter and environment.

``program`` runs it, ``channel`` reads what ``injected`` saw inside, ``process_usage`` looks from outside, ``summary``
makes numbers of both. Nothing here imports torch; knows no other step.
"""
