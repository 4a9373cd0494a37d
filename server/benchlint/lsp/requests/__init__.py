"""One module a request of the protocol: `METHOD`, `OPTIONS` where it has some, and `handle`."""
