"""What breaks a service, done to one on purpose, at random and again and again.

`python -m tests.faults` starts `dicetown serve` as people do, lets players play, does one fault after
the other to the service, its database and its connections, and reads the whole history afterwards: nothing
that was acknowledged may be lost or doubled, no table stand still, no process die. `make faults` does it for
as long as it takes to be sure.
"""
