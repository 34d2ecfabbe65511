"""What all pages have in common: templates, languages, formats of numbers and times, tables, forms."""
