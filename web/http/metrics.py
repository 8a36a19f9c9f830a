"""Figures for Prometheus: what is counted of requests.

They are shown at an address of their own, see ``services.runtime.metrics``: which routes are asked
for tells what players do in secret.
"""

from __future__ import annotations

from flask import Flask
from flask.globals import request_ctx
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

_KEY = "plybook-figures"

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
        """Be the figures of ``app``."""
        app.extensions[_KEY] = self

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

    def told(self) -> str:
        """Return the figures of this process alone."""
        return generate_latest(self._registry).decode()


def figures_of(app: Flask) -> str:
    """Return what has been counted of an application in this process."""
    metrics: Metrics = app.extensions[_KEY]
    return metrics.told()
