"""Search where the pages are opened from the file system, without a server and without anything from elsewhere.

There a page cannot fetch the index, and a browser starts no worker from a file. So the index is a script too, where the theme
looks for it, and the worker's source stands in a script that starts it as a blob. (The theme's own plugin for this loads a
script from another server.)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WORKER = "assets/javascripts/offline-worker.js"

START = """if (location.protocol === "file:") {
  const Started = Worker;
  window.Worker = class extends Started {
    constructor() { super(URL.createObjectURL(new Blob([%s], {type: "text/javascript"}))); }
  };
}
"""


def on_config(config: Any) -> Any:
    """Have each page load the script before the theme's own."""
    config.extra["polyfills"] = [*config.extra.get("polyfills", []), WORKER]
    return config


def on_post_build(config: Any) -> None:
    """Write both scripts. Raises ``ValueError`` where the theme has not the one worker that is known here."""
    site = Path(config.site_dir)
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    (site / "search" / "search_index.js").write_text(f"var __index = {index}", encoding="utf-8")
    workers = sorted((site / "assets" / "javascripts" / "workers").glob("search*.js"))
    if len(workers) != 1:
        raise ValueError(f"the theme has {len(workers)} search workers: see docs/hooks/offline_search.py")
    source = workers[0].read_text(encoding="utf-8").partition("//# sourceMappingURL")[0]
    (site / WORKER).write_text(START % json.dumps(source), encoding="utf-8")
