"""Foundation of all other packages: errors, columns, kernels; nothing about one subject."""
