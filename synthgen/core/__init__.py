"""Foundation that every other package may import: errors, addressed draws, columns, derivations."""
