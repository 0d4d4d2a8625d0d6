"""eccelerate: elliptic-curve accelerators, their toolchain, model, driver and command line."""
