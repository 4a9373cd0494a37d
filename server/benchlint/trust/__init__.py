"""What is measured of a judge, and the severity that its findings may have."""
