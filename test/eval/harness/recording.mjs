import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createAsChecked, listWarnings } from './taken.mjs';
import { FIXTURES } from './world.mjs';

/**
 * Recordings are calls as an assistant made them: `{name, intent, face, environment, answers, faults,
 * calls}`. A call has `tool` and `arguments`; `keep` names fields of its answer for later calls (`{"PHOTO":
 * "url"}`, then "$PHOTO" is replaced by it). If it must be refused, `expect` is the error's code and `says`
 * one or several parts of its message. `warns` lists all its warnings as "code path"; if missing, there must
 * be none. `status: "confirmation_required"` leaves the confirmation to a separate call; `correct` lets the
 * assistant fix the request by following the error, with the seller's `knowledge`. $FIXTURES is the folder of
 * photos.
 */
export async function loadRecordings(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => toScenario(JSON.parse(await readFile(join(folder, file), 'utf8')))),
  );
}

function toScenario({ calls, faults = [], ...scenario }) {
  return {
    ...scenario,
    async run({ assistant, world }) {
      for (const fault of faults) await world.addFault(fault);
      const kept = { FIXTURES };
      for (const { arguments: input, ...call } of calls) {
        const answer = await play({ assistant, world }, { ...call, input: fill(input, kept) });
        for (const [name, field] of Object.entries(call.keep ?? {})) kept[name] = answer[field];
      }
    },
  };
}

/** Returns the call's answer; throws if it differs from the recording. */
async function play({ assistant, world }, { tool, input, correct, knowledge, ...recorded }) {
  const make = async (name, request) => {
    const send = recorded.status ? assistant.send : assistant.call;
    return name === 'listing_create'
      ? createAsChecked({ assistant, world }, request, send)
      : send(name, request);
  };
  const answered = correct
    ? { answer: await assistant.persist(tool, input, knowledge, make) }
    : await make(tool, input);
  const problem = answered.error
    ? findRefusal(answered.error, recorded)
    : findAnswer(answered.answer ?? {}, recorded);
  if (problem !== undefined) throw new Error(`${tool}: ${problem}`);
  return answered.answer;
}

function findRefusal({ code, message }, { expect, says = [] }) {
  if (code !== expect) return `${code} instead of ${expect ?? 'an answer'}: ${message}`;
  const missing = [says].flat().find((words) => !message.includes(words));
  return missing === undefined ? undefined : `does not say ${missing}: ${message}`;
}

/** The notice that a call was a repeat is not a warning about the request. */
function findAnswer(answer, { expect, status, warns = [] }) {
  if (expect !== undefined) return `accepted instead of ${expect}`;
  if (status !== undefined && answer.status !== status) return `${answer.status} instead of ${status}`;
  const answered = listWarnings(answer).filter((line) => line !== 'replayed');
  return isDeepStrictEqual(new Set(answered), new Set(warns))
    ? undefined
    : `warned of ${answered.join(', ') || 'nothing'} instead of ${warns.join(', ') || 'nothing'}`;
}

/** A string that is only a kept name is replaced by the value itself, so numbers stay numbers. */
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
