"""Plays random legal moves: python random_bot.py https://plybook.example TOKEN."""

import json
import random
import sys
import time
from http.client import HTTPException
from urllib.request import Request, urlopen

API, TOKEN = sys.argv[1] + "/api/v1", sys.argv[2]
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


def get(path):
    return urlopen(Request(API + path, headers=HEADERS), timeout=60)


def do(path, body, key):  # under the same key it is done once, however often the answer is lost
    request = Request(API + path, json.dumps(body).encode(), {**HEADERS, "Idempotency-Key": key})
    while True:
        try:
            return urlopen(request, timeout=60)
        except (OSError, HTTPException) as lost:
            if getattr(lost, "code", 503) not in (429, 500, 502, 503, 504):
                return print("refused:", json.load(lost)["detail"], flush=True)
            print("no answer, asking again:", lost, flush=True)
        time.sleep(1)


def play(match):
    now = json.load(get(f"/matches/{match}/legal-moves"))
    if now["moves"]:  # else the line was an old one: it is not our turn any more
        # The same choice for the same version, so that a repetition is the same request.
        chosen = random.Random(f"{match} {now['version']}").choice(now["moves"])
        body = {"move": chosen["move"], "expected_version": now["version"]}
        do(f"/matches/{match}/moves", body, f"{match}-{now['version']}")


while True:
    try:
        for line in map(json.loads, get("/me/stream")):  # first of all that waits for us
            if line["kind"] == "challenge":
                do(f"/matches/{line['match']['id']}/join", {}, f"{line['match']['id']}-join")
            elif line["kind"] == "turn":
                play(line["match"]["id"])
            elif line["kind"] == "replaced":  # others listen for this account: look once a minute
                time.sleep(60)
    except (OSError, HTTPException, ValueError) as lost:
        if getattr(lost, "code", 0) in (401, 403):
            sys.exit("This token is no good (any more).")
        print("the stream broke, opening it again:", lost, flush=True)
    time.sleep(1)
