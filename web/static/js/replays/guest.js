// A replay on a page that is about something else: there is nothing to do but to look on.
import { begin } from "./replay.js";

begin();
