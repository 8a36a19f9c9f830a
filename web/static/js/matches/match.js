// The page of a match: its replay, the desk of a seat, and what is said beside it.
import { begin } from "../replays/replay.js";
import { WhatIf } from "../replays/what_if.js";
import { Desk } from "./actions.js";
import { Talk } from "./talk.js";

begin({
  desk: (replay) => new Desk(replay),
  talk: (replay) => new Talk(replay),
  whatIf: (replay) => new WhatIf(replay),
});
