"""Named configurations of engines and clusters: parameters, memory images, RTL files."""
