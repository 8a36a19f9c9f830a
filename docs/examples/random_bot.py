"""Plays random legal moves: python random_bot.py https://plybook.example TOKEN."""

import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request

API, TOKEN = sys.argv[1] + "/api/v1", sys.argv[2]
LOST = (OSError, http.client.HTTPException)  # the line broke, or there was no answer


def ask(path, body=None, key=""):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    return urllib.request.urlopen(urllib.request.Request(API + path, data, headers), timeout=60)


def do(path, body, key):
    while True:  # under the same key it is done once, however often the answer is lost
        try:
            return ask(path, body, key).read()
        except urllib.error.HTTPError as refused:
            if refused.code not in (429, 500, 502, 503, 504):
                return print("refused:", json.load(refused)["detail"], flush=True)
        except LOST as lost:
            print("no answer, asking again:", lost, flush=True)
        time.sleep(1)


def play(match):
    now = json.load(ask(f"/matches/{match}/legal-moves"))
    if not now["moves"]:  # the line was an old one: it is not our turn any more
        return
    # The same choice for the same version, so that a repetition is the same request.
    chance = random.Random(f"{match} {now['version']}")
    move = {"move": chance.choice(now["moves"])["move"], "expected_version": now["version"]}
    do(f"/matches/{match}/moves", move, f"{match}-{now['version']}")


after = ""
while True:
    try:
        for line in map(json.loads, ask(f"/me/stream{after}")):
            if line["kind"] == "challenge":
                do(f"/matches/{line['match']['id']}/join", {}, f"{line['match']['id']}-join")
            elif line["kind"] == "turn":
                play(line["match"]["id"])
            after = f"?after={line['id']}"
    except (*LOST, ValueError) as lost:
        if getattr(lost, "code", 0) in (401, 403):
            sys.exit("This token is no good (any more).")
        print("the stream broke, opening it again:", lost, flush=True)
    time.sleep(1)
