import { isObject } from '../incoming.js';

/** What a client can be asked for, without what it says of how; of elicitation, in which forms. */
export type ClientCapabilities = {
  elicitation?: { form?: object; url?: object };
  roots?: object;
  sampling?: object;
};

/**
 * The few capabilities that are ever read, of what a client told. A conversation keeps them for half an hour, so nothing stays in
 * them that a client could make large.
 */
export function readCapabilities(told: unknown): ClientCapabilities {
  const known: ClientCapabilities = {};
  if (!isObject(told)) return known;
  const { elicitation, roots, sampling } = told;
  if (isObject(elicitation)) {
    known.elicitation = {};
    if (elicitation['form']) known.elicitation.form = {};
    if (elicitation['url']) known.elicitation.url = {};
  }
  if (isObject(roots)) known.roots = {};
  if (isObject(sampling)) known.sampling = {};
  return known;
}

/** Longer names are cut: a conversation keeps the name. */
const MAX_NAME_CHARS = 200;

export function readClientName(told: unknown): string | undefined {
  const name = isObject(told) ? told['name'] : undefined;
  return typeof name === 'string' ? name.slice(0, MAX_NAME_CHARS) : undefined;
}
