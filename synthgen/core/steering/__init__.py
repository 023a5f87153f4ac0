"""Kernels of the controllers: rules that look at candidates one after the other."""
