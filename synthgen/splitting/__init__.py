"""Train and test from third-party files, with the controllers of recipes."""
