"""The live page, worked out without Qt."""
