"""Slow twins of the native parts, written for the reader."""
