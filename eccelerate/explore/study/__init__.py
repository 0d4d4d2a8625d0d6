"""The study of GF(2^163): time, area and energy of coordinates, algorithms, digit sizes and multipliers."""
