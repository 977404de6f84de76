import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIXTURES } from './world.mjs';

/**
 * Recordings are calls as an assistant made them: `{name, intent, face, environment, calls}`. A call has `tool` and `arguments`;
 * `keep` names what of its answer is used later (`{"PHOTO": "url"}`, then "$PHOTO" stands for it); `expect` is the error's code and
 * `says` some of its words, where it is to be refused; `correct` lets the assistant mend it by the error, with the seller's
 * `knowledge`. $FIXTURES is the folder of photos.
 */
export async function loadRecordings(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => toScenario(JSON.parse(await readFile(join(folder, file), 'utf8')))),
  );
}

function toScenario({ calls, ...scenario }) {
  return {
    ...scenario,
    async run({ assistant }) {
      const kept = { FIXTURES };
      for (const { tool, arguments: input, keep = {}, expect, says = '', correct, knowledge } of calls) {
        const filled = fill(input, kept);
        if (expect !== undefined) {
          const { error } = await assistant.call(tool, filled);
          if (error?.code !== expect)
            throw new Error(`${tool}: ${error?.code ?? 'accepted'} instead of ${expect}`);
          if (!error.message.includes(says))
            throw new Error(`${tool} does not say ${says}: ${error.message}`);
          continue;
        }
        const answer = correct
          ? await assistant.persist(tool, filled, knowledge)
          : await assistant.ask(tool, filled);
        for (const [name, field] of Object.entries(keep)) kept[name] = answer[field];
      }
    },
  };
}

/** A string that is nothing but a kept name takes the value itself, so that numbers stay numbers. */
function fill(value, kept) {
  if (typeof value === 'string') {
    const whole = /^\$([A-Z]+)$/.exec(value)?.[1];
    return whole === undefined
      ? value.replaceAll(/\$([A-Z]+)/g, (text, name) => kept[name] ?? text)
      : (kept[whole] ?? value);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, kept));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, kept)]));
}
