"""Fault campaigns: kill builds, fill disks, damage files and feed hostile input, and count."""
