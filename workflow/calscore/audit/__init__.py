"""What people check: checks, explanations, the database, the manifest, the pages."""
