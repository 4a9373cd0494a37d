"""The figures of an audit: one module a group."""
