"""What happens to datasets in training and evaluation."""
