"""What an application has counted for Prometheus, in this process."""

from flask import Flask
from prometheus_client import generate_latest

from web.http.requests import FIGURES


def figures_of(app: Flask) -> str:
    return generate_latest(app.extensions[FIGURES]).decode()
