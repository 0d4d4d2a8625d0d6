"""The results as one HTML page that needs no network: :func:`report_page.page`."""
