"""Findings and metrics as text, JSON, SARIF and the forms of CI services."""
