"""What all pages use: forms, who looks, how failures are shown, words and preferences."""
