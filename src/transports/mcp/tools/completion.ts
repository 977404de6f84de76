import type { Suggestion } from '../../../core/shops/suggestions.js';
import { toVisibleText } from '../../../core/text/visible_text.js';
import type { Service } from '../../service.js';
import { isObject } from '../incoming.js';
import type { Method } from '../method.js';
import type { Prompt } from '../prompts/prompt.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { NOTICE } from './readable.js';
import type { Resource } from '../resources/catalog.js';

/** The protocol's limit on the number of values in a response. */
const MAX_VALUES = 100;
/** Maximum number of names in one argument: a listing has at most 50 shops. */
const MAX_NAMED = 50;
/**
 * Maximum length of an argument: every value in the response repeats it, so a long one would be sent a
 * hundred times.
 */
const MAX_CHARS = 2_000;

type Source = (text: string, account_id: string) => Promise<string[]>;

/**
 * completion/complete: completes names of shops and categories in the arguments of prompts, and their ids in
 * the addresses of resources.
 */
export function createCompletion(
  prompts: readonly Prompt[],
  resources: readonly Resource[],
  suggestions: Service['suggestions'],
): Method {
  const sources: Record<'shop' | 'category', Record<'by_id' | 'by_name', Source>> = {
    shop: {
      by_id: async (text, account_id) => toIds(await suggestions.listShops(account_id, text)),
      by_name: async (text, account_id) =>
        completeLast(text, async (last) => toNames(await suggestions.listShops(account_id, last))),
    },
    category: {
      by_id: async (text) => toIds(await suggestions.listCategories(text)),
      by_name: async (text) => toNames(await suggestions.listCategories(text)),
    },
  };

  function findSource(ref: Record<string, unknown>, argument: unknown): Source | undefined {
    const prompt = prompts.find(({ name }) => ref['type'] === 'ref/prompt' && name === ref['name']);
    const resource = resources.find(({ uri }) => ref['type'] === 'ref/resource' && uri === ref['uri']);
    if (!prompt && !resource) {
      throw new ProtocolError(RPC.invalid_params, 'params.ref names no prompt and no resource template.');
    }
    const completes = prompt?.arguments.find(({ name }) => name === argument)?.completes;
    if (completes) return sources[completes === 'shops' ? 'shop' : 'category'].by_name;
    const subject = typeof argument === 'string' ? resource?.completes?.[argument] : undefined;
    return subject && sources[subject].by_id;
  }

  return async ({ ref, argument }, { caller }) => {
    if (!isObject(ref) || !isObject(argument) || typeof argument['value'] !== 'string') {
      const message = 'completion/complete needs params.ref, and params.argument with name and value.';
      throw new ProtocolError(RPC.invalid_params, message);
    }
    if (argument['value'].length > MAX_CHARS) {
      const problem = `params.argument.value has more than ${MAX_CHARS} characters.`;
      throw new ProtocolError(RPC.invalid_params, problem);
    }
    const source = findSource(ref, argument['name']);
    const found = source ? await source(argument['value'], caller.account_id) : [];
    const values = found.slice(0, MAX_VALUES);
    const completion = { values, total: found.length, hasMore: found.length > values.length };
    return { _meta: { notice: NOTICE }, completion };
  };
}

const toIds = (found: Suggestion[]) => found.map(({ id }) => id);
const toNames = (found: Suggestion[]) => found.map(({ name }) => toVisibleText(name));

const toComparable = (name: string) => name.trim().toLowerCase();

/**
 * Completes the last of several names separated by commas; names before it are not offered again. Throws a
 * ProtocolError if there are more names than a listing can have shops.
 */
async function completeLast(text: string, list: (last: string) => Promise<string[]>): Promise<string[]> {
  const at = text.lastIndexOf(',') + 1;
  const before = at === 0 ? '' : `${text.slice(0, at)} `;
  const names = at === 0 ? [] : text.slice(0, at - 1).split(',');
  if (names.length > MAX_NAMED) {
    const problem = `params.argument.value has more than ${MAX_NAMED} names with commas between them.`;
    throw new ProtocolError(RPC.invalid_params, problem);
  }
  const written = new Set(names.map(toComparable));
  const found = await list(text.slice(at));
  return found.filter((name) => !written.has(toComparable(name))).map((name) => `${before}${name}`);
}
