"""Readers of what comes from outside."""
