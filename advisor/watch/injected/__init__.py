"""What runs inside a watched program: its interpreter may be Python 3.8 or later, its torch 2.0 or later.

Both modules are copied into a folder of their own and found there through ``PYTHONPATH``; they use the standard library
and the torch that is there, never this program, and never raise into the user's code.
"""
