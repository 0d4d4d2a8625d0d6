"""`python -m eccelerate.cli`."""

from eccelerate.cli.app import main

main()
