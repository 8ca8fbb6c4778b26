"""How do browsers reach it? A server for one user, on his own machine."""
