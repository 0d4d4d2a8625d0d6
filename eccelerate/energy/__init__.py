"""Activity of netlists, and the energy that it takes in standard cells."""
