import { setTimeout as delay } from 'node:timers/promises';
import { startAssistant } from './assistant.mjs';
import { openWorld } from './world.mjs';

/**
 * Plays one scenario from an empty start to its end, and reads the final state of the marketplace and the
 * service.
 */
export async function play({ name, face, environment, answers, dismisses, intent, run }) {
  const world = { ...(await openWorld()), pause: delay };
  const counts = { calls: 0, tries: 0 };
  const open = [];
  const start = async (options) => {
    const assistant = await startAssistant(world, counts, options);
    open.push(assistant);
    return assistant;
  };
  try {
    let problem;
    try {
      const assistant = await start({ face, environment, dismisses, answers: answers && [...answers] });
      await run({ assistant, world, start });
    } catch (cause) {
      problem = cause.message;
    }
    const { calls, tries } = counts;
    const reader = await start({ environment: {} });
    const { total: saved } = await reader.ask('listings_list');
    const found = tally(await world.readState(), saved, intent);
    problem ??= describeDifference(found, intent);
    return { name, calls, tries, ...found, is_met: problem === undefined, outcome: problem ?? 'as meant' };
  } finally {
    await Promise.all(open.map((assistant) => assistant.close()));
    await world.close();
  }
}

function tally({ listings, fees }, saved, { copies = 1 }) {
  const count = (state) => listings.filter((listing) => listing.state === state).length;
  const counts = new Map();
  for (const { shop_id, fields } of listings) {
    const key = `${shop_id} ${fields.title}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const duplicates = [...counts.values()].reduce((sum, same) => sum + Math.max(0, same - copies), 0);
  return { live: count('active'), drafts: count('draft'), saved, duplicates, fees: fees.length };
}

/** Undefined if everything is as intended; anything an intent does not name is expected to be zero. */
function describeDifference(found, intent) {
  const wanted = { live: 0, drafts: 0, saved: 0, fees: 0, duplicates: 0, ...intent };
  const wrong = Object.keys(found).filter((key) => found[key] !== wanted[key]);
  return wrong.length === 0
    ? undefined
    : wrong.map((key) => `${key}: ${found[key]} instead of ${wanted[key]}`).join('; ');
}
