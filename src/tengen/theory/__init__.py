"""Which games are drawn, and which are fair?"""
