"""How sure are we?"""
