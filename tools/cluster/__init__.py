"""A cluster of Sluice nodes on this machine: `./dev cluster`."""
