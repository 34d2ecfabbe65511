"""The ground of all pages: templates, languages, formats of numbers and times, tables, forms, static files."""
