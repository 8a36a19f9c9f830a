"""Figures for Prometheus.

With several server processes they share theirs through files, in the folder that
``PROMETHEUS_MULTIPROC_DIR`` names; ``services.serving`` makes one. Without that folder the
figures are those of the process that happens to answer.
"""

from __future__ import annotations

import os

from flask import Flask, Response
from flask.globals import request_ctx
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The figures of one application."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "plybook_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        # Finding a figure by its labels costs as much as counting in it.
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._seconds = Histogram(
            "plybook_request_seconds",
            "Seconds until the answer began.",
            ("route",),
            buckets=BUCKETS,
            registry=self._registry,
        )

    def install(self, app: Flask) -> None:
        """Answer at ``/metrics`` of ``app``."""
        app.add_url_rule("/metrics", "metrics", self._show)

    def count(self, status: int, seconds: float) -> None:
        """Count an answer to the present request, begun after so many seconds."""
        asked = request_ctx.request
        # The rule, not the path: what somebody invents must not become a figure of its own.
        rule = asked.url_rule
        route = rule.rule if rule is not None else "none"
        method = asked.method if rule is not None else "none"
        key = (method, route, status)
        known = self._known.get(key)
        if known is None:
            known = (self._requests.labels(*key), self._seconds.labels(route))
            self._known[key] = known
        known[0].inc()
        known[1].observe(seconds)

    def _show(self) -> Response:
        registry = self._registry
        if SHARED_FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        headers = {"Cache-Control": "no-store"}
        return Response(generate_latest(registry), 200, headers, content_type=CONTENT_TYPE_LATEST)
