/*
 * Fixes a request only by following the refusal, line by line: a request that this cannot fix was refused
 * without explaining why. `knowledge` is what the seller has said: `fields` by path, `names` of shops,
 * sections and so on, `files` by path of their url.
 */

/** Each takes a line's value, and returns undefined if the line is about something else. */
const RULES = [
  [/must be an? (?:number|integer) without quotation marks/, ({ value }) => Number(value)],
  [/must be a boolean without quotation marks/, ({ value }) => value === 'true'],
  [/must be an object with url, not a string/, ({ value }) => ({ url: value })],
  [/must be an array/, ({ value }) => String(value).split(/\s*,\s*/)],
  [/is missing; send (.*) together, or none of them$/, giveAllOrNone],
  [/upload the file again and use the new url/, uploadAgain],
  [/categories_search finds categories by keyword/, findCategory],
  [
    /is unknown; (?:it belongs in ([\w.]+)|it belongs next to "\w+", as "(\w+)"|did you mean "(\w+)"\?)/,
    move,
  ],
  [
    /has SKU .*; it has (".*")$/,
    ({ value, found }) => ({ ...value, sku: findClosest(value.sku, listQuoted(found[1])) }),
  ],
  [/(?:send the option values of only one:|has these option values; it has) (".*")$/, nameOptions],
  [/; connected: (.*)$/, choose],
  [/ has (\d+ \(.*)$/, choose],
  [/; use one of (\S+ \(.*)$/, choose],
  [
    /has (\d+) characters; at most (\d+)/,
    ({ value, found }) => [...value].slice(0, Number(found[2])).join(''),
  ],
  [/has characters that are not allowed: (.*?);/, dropCharacters],
  [/must be one of (".*")/, ({ value, found }) => findClosest(value, listQuoted(found[1]))],
  [/must be one of (.*)$/, ({ value, found }) => findClosest(value, found[1].split(', '))],
  [/is required/, ({ path, knowledge }) => knowledge.fields?.[path]],
];

export async function correct(input, error, knowledge, assistant) {
  const fixed = structuredClone(input);
  let changes = 0;
  for (const line of error.message.split('\n')) {
    const [, path, problem] = /^([\w.[\]]+): (.*)$/.exec(line) ?? [];
    const [pattern, fix] = RULES.find(([pattern]) => problem && pattern.test(problem)) ?? [];
    if (!pattern) continue;
    const value = get(fixed, path);
    const found = pattern.exec(problem);
    set(fixed, path, await fix({ path, value, found, knowledge, assistant, input: fixed }));
    changes += 1;
  }
  if (changes === 0) throw new Error(`the error does not say what to change: ${error.message}`);
  return fixed;
}

/** Moves it to the place named in the error. */
function move({ value, found, input }) {
  const to = found[1] ?? found[2] ?? found[3];
  set(input, to, value);
  return undefined;
}

/** The combination that the seller named, in the form the error uses. */
function nameOptions({ value, found, knowledge }) {
  const { sku: _, price, quantity } = value;
  const label = listQuoted(found[1]).find((one) => knowledge.names?.includes(one));
  if (label === undefined) throw new Error(`the error does not have what the seller named: ${found[1]}`);
  const options = Object.fromEntries(label.split(', ').map((option) => option.split(': ')));
  return JSON.parse(JSON.stringify({ ...options, price, quantity }));
}

/** If the seller said nothing about them: none of them. */
function giveAllOrNone({ path, found, knowledge, input }) {
  const said = knowledge.fields?.[path];
  if (said !== undefined) return said;
  const parent = path.slice(0, path.lastIndexOf('.') + 1);
  for (const field of found[1].split(/, and |, | and /)) set(input, `${parent}${field}`, undefined);
  return undefined;
}

/** The name the seller gave, otherwise the first choice. */
function choose({ found, knowledge }) {
  const choices = [...found[1].matchAll(/(\d+) \("?((?:[^()"]|\([^()]*\))*)"?\)/g)];
  const named = choices.find(([, , name]) => knowledge.names?.includes(name));
  return Number((named ?? choices[0])?.[1]);
}

async function findCategory({ input, assistant }) {
  const { categories } = await assistant
    .call('categories_search', { keywords: input.listing.title })
    .then(getAnswer);
  return categories.find(({ is_leaf }) => is_leaf)?.category_id;
}

async function uploadAgain({ path, knowledge, assistant }) {
  const { url } = await assistant.call('file_upload', { path: knowledge.files[path] }).then(getAnswer);
  return url;
}

function getAnswer({ answer, error }) {
  if (!answer) throw new Error(error?.message ?? 'no answer');
  return answer;
}

/** As the message shows them: `"_" (U+005F)`. */
function dropCharacters({ value, found }) {
  const wrong = new Set(
    [...found[1].matchAll(/U\+([0-9A-F]+)/g)].map(([, hex]) => String.fromCodePoint(parseInt(hex, 16))),
  );
  return [...value]
    .map((char) => (wrong.has(char) ? ' ' : char))
    .join('')
    .trim();
}

const listQuoted = (text) => [...text.matchAll(/"([^"]*)"/g)].map(([, one]) => one);

function findClosest(value, choices) {
  const wanted = String(value).toLowerCase().replaceAll(/\W/g, '');
  return choices.find((choice) => choice.toLowerCase().replaceAll(/\W|_/g, '') === wanted) ?? choices[0];
}

const toParts = (path) => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');

function get(root, path) {
  return toParts(path).reduce((at, part) => at?.[part], root);
}

function set(root, path, value) {
  const parts = toParts(path);
  const last = parts.pop();
  const at = parts.reduce((child, part) => (child[part] ??= {}), root);
  if (value === undefined) delete at[last];
  else at[last] = value;
}
