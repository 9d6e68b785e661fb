"""③ The waist: what was recorded, as columns."""
