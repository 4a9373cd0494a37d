"""Statistics: pure functions of numbers, without a word of agents or judges."""
