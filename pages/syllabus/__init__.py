"""What the sources teach: their concepts, and the places where they slip. Text only, shown by the pages."""
