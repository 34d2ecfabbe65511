// A bot in TypeScript: Node runs this file as it is. How it talks to the arena is in arena.js.
import { run, type Decision } from "./arena.js";

run({
  name: "typescript",
  games: ["lost_cities"],

  // Chooses one of decision.legal: the action that is rated best.
  choose(decision) {
    const rated = decision.legal.map((action) => ({ action, value: rate(action, decision) }));
    return rated.reduce((best, each) => (each.value > best.value ? each : best)).action;
  },
});

// Says how good an action seems: here your ideas go. So far all are alike, and chance decides.
//
// decision.view is the position as your seat may know it (protos/arena/v1 has a file for each game), decision.history
// is what your seat has seen so far, decision.seat your seat, from 0.
function rate(action: string, decision: Decision): number {
  return decision.random();
}
