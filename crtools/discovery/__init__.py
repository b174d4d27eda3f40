"""From runs of a policy to the form of its latency: quadratic or not, its entries, and a guess that further runs confirm."""

from crtools.discovery.at_lengths import MeasuredForm, measure_form, table_form
from crtools.discovery.discover import Discovery, discover, form_on_ends

__all__ = ["Discovery", "MeasuredForm", "discover", "form_on_ends", "measure_form", "table_form"]
