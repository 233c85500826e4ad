"""The nouns that travel between the steps: frozen, typed, without behaviour beyond derived quantities.

Every quantity carries its unit in its name. Unknown is ``None``; a ``Gap`` beside it says why.
"""
