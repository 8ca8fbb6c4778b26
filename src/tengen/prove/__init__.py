"""Is it really a win, against every defence?"""
