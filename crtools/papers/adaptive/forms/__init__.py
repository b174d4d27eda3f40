"""The paper's latency forms, and a few beside them, one file each."""

from crtools.forms.base import Form
from crtools.papers.adaptive.forms.a_ell import A_ELL
from crtools.papers.adaptive.forms.a_max import A_MAX
from crtools.papers.adaptive.forms.a_min import A_MIN
from crtools.papers.adaptive.forms.a_random import A_RANDOM
from crtools.papers.adaptive.forms.a_random_area import A_MIN_LITERAL_AREA, A_RANDOM_AREA
from crtools.papers.adaptive.forms.a_restart import A_RESTART

FORMS: dict[str, Form] = {
    f.name: f for f in (A_MIN, A_MIN_LITERAL_AREA, A_RANDOM, A_RANDOM_AREA, A_MAX, A_ELL, A_RESTART)
}
"""By name; all but the two area forms and a-restart are the paper's."""
