"""From a snapshot to findings: incremental and pure."""
