"""Content of the sources: their concepts, and their errors. Text only, shown by the pages."""
