import type { Random } from './random.js';

/** Any JSON, and values that reach a program only in other ways. */
export type Tree = null | boolean | number | string | Tree[] | { [key: string]: Tree };

const LENGTHS = [
  0, 1, 2, 3, 13, 14, 20, 21, 32, 33, 45, 46, 70, 71, 140, 141, 256, 257, 512, 513, 2048, 2049, 9000,
];
const CHARS = [
  'a',
  ' ',
  '\n',
  '0',
  '%',
  ':',
  '&',
  '+',
  '(',
  ')',
  '<',
  '>',
  '"',
  "'",
  '\\',
  '-',
  ',',
  '.',
  '/',
  '[',
  ']',
  '{',
];
const UNICODE = [
  '🍵',
  '👨\u200d👩\u200d👧',
  'e\u0301',
  '\u0301',
  'كُوب',
  'मिट्टी',
  '器',
  'İ',
  'ß',
  'ﷺ',
  '\u202e',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\u0000',
  '\ud83d',
  '\udc00',
  '\u{10ffff}',
  '<script>',
  '</p>',
  '<!--',
];
const NUMBERS = [
  0,
  -0,
  -1,
  1,
  2,
  9,
  10,
  11,
  13,
  100,
  200,
  513,
  999,
  1000,
  1024,
  1025,
  1062,
  0.1,
  0.19,
  0.2,
  0.1 + 0.2,
  1.5,
  24.555,
  1e-7,
  1e9,
  1e9 + 1,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  1e21,
  1e300,
  -1e300,
  5e-324,
];
const KEYS = [
  '',
  ' ',
  '0',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'length',
  'then',
  'a.b',
  'a[0]',
  'shops[0].price',
  'a\nb',
  'クーポン',
  '🍵',
  'titel',
  'imgaes',
  'price ',
  'PRICE',
  'dry_run',
  'state',
  'idempotency_key',
];
/** URLs that lead nowhere except to this machine. */
const URLS = [
  'http://127.0.0.1:1/a.jpg',
  'https://127.0.0.1:1/a.jpg',
  'http://127.0.0.1:1/%zz',
  'http://[::1]:1/a.jpg',
  'http://10.0.0.1/a.jpg',
  'http://169.254.169.254/latest',
  'http://0x7f.1:1/',
  'http://me:you@127.0.0.1:1/',
  'http://127.0.0.1:99999/',
  'http://',
  'https://',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'service-upload://',
  'service-upload://upl_none/a.jpg',
  'SERVICE-UPLOAD://upl_none/a.jpg',
  'service-upload://upl_none/%',
  'data:image/png;base64,AAAA',
];

type Place = { parent: Tree[] | { [key: string]: Tree }; key: string };

/** A few changes of any kind to a copy of the tree. */
export function mutate(tree: Tree, random: Random): Tree {
  const root = { root: structuredClone(tree) };
  const changes = 1 + random.int(random.chance(0.3) ? 8 : 3);
  for (let done = 0; done < changes; done += 1) changeAt(random.pick(listPlaces(root)), random);
  return stringifySome(keepOnThisMachine(root.root), random);
}

/** Any value of any kind. */
export function buildValue(random: Random, depth = 0): Tree {
  switch (random.int(depth > 4 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
    case 3:
      return random.pick(NUMBERS);
    case 4:
      return random.pick(URLS);
    case 5:
      return buildText(random);
    case 6:
      return Array.from({ length: random.int(5) }, () => buildValue(random, depth + 1));
    case 7:
      return buildObject(random, depth);
    default:
      return buildNest(random.pick([3, 31, 40]), random.chance(0.5));
  }
}

export function buildText(random: Random): string {
  const piece = random.chance(0.5) ? random.pick(CHARS) : random.pick(UNICODE);
  return random.chance(0.6)
    ? piece.repeat(random.pick(LENGTHS))
    : `${random.pick(KEYS)}${piece}${random.pick(CHARS)}`;
}

function buildObject(random: Random, depth: number): Tree {
  const entries = Array.from({ length: random.int(5) }, () => [
    random.pick(KEYS),
    buildValue(random, depth + 1),
  ]);
  return Object.fromEntries(entries) as Tree;
}

function buildNest(levels: number, isList: boolean): Tree {
  let nest: Tree = 1;
  for (let level = 0; level < levels; level += 1) nest = isList ? [nest] : { a: nest };
  return nest;
}

function listPlaces(root: { [key: string]: Tree }): Place[] {
  const places: Place[] = [];
  const open: (Tree[] | { [key: string]: Tree })[] = [root];
  for (let parent = open.pop(); parent !== undefined && places.length < 2_000; parent = open.pop()) {
    for (const [key, value] of Object.entries(parent)) {
      places.push({ parent, key });
      if (value !== null && typeof value === 'object') open.push(value);
    }
  }
  return places;
}

function changeAt({ parent, key }: Place, random: Random): void {
  const holder = parent as { [key: string]: Tree };
  const value = holder[key] ?? null;
  switch (random.int(9)) {
    case 0:
      holder[key] = buildValue(random);
      return;
    case 1:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else if (key !== 'root') delete holder[key];
      return;
    case 2:
      holder[key] = random.chance(0.5) ? [value] : { [random.pick(KEYS)]: value };
      return;
    case 3:
      if (Array.isArray(value)) holder[key] = repeat(value, random.pick([2, 11, 14, 60, 300]));
      else holder[key] = String(typeof value === 'object' ? key : value);
      return;
    case 4:
      addKey(value, random);
      return;
    case 5:
      renameKey(parent, key, random);
      return;
    default:
      holder[key] = changeLeaf(value, random);
  }
}

function changeLeaf(value: Tree, random: Random): Tree {
  if (typeof value === 'number') {
    return random.chance(0.5) ? random.pick(NUMBERS) : value + random.pick([-1, 1, 0.001, 0.5, 1e15]);
  }
  if (typeof value === 'boolean') return random.pick([!value, String(value), Number(value), null]);
  if (typeof value !== 'string') return value;
  const chars = [...value];
  const piece = random.chance(0.5) ? random.pick(UNICODE) : random.pick(CHARS);
  const at = random.int(chars.length + 1);
  if (random.chance(0.3))
    return (value || 'x').repeat(Math.ceil(random.pick(LENGTHS) / Math.max(1, chars.length)));
  return [...chars.slice(0, at), piece, ...chars.slice(at + random.int(2))].join('');
}

function repeat(items: Tree[], count: number): Tree[] {
  return items.length === 0
    ? items
    : Array.from({ length: count }, (_, index) => items[index % items.length] ?? null);
}

function addKey(value: Tree, random: Random): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  // As JSON.parse does: an own key, not the prototype.
  const key = random.chance(0.1) ? '__proto__' : random.pick(KEYS);
  Object.defineProperty(value, key, {
    value: buildValue(random, 2),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function renameKey(parent: Tree[] | { [key: string]: Tree }, key: string, random: Random): void {
  if (Array.isArray(parent) || key === 'root' || key.length < 2) return;
  const at = random.int(key.length - 1);
  const slip = random.pick([
    key.slice(0, at) + key.slice(at + 1),
    key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2),
    key.toUpperCase(),
    `${key}${random.pick(UNICODE)}`,
  ]);
  parent[slip] = parent[key] ?? null;
  delete parent[key];
}

/** Rewrites changed URLs, so nothing outside this machine is called. */
function keepOnThisMachine(tree: Tree): Tree {
  if (typeof tree === 'string') return isOutside(tree) ? 'http://127.0.0.1:1/x' : tree;
  if (Array.isArray(tree)) return tree.map(keepOnThisMachine);
  if (tree === null || typeof tree !== 'object') return tree;
  for (const [key, value] of Object.entries(tree))
    if (key !== '__proto__') tree[key] = keepOnThisMachine(value);
  return tree;
}

function isOutside(text: string): boolean {
  if (!/^\s*https?:/i.test(text) || !URL.canParse(text)) return false;
  return !/^(127\.|10\.|169\.254\.|\[::1\]$)/.test(new URL(text).hostname);
}

/** Replaces a part of it by JSON text, as assistants do. */
function stringifySome(tree: Tree, random: Random): Tree {
  if (tree === null || typeof tree !== 'object' || !random.chance(0.15)) return tree;
  const holders = listPlaces({ root: tree }).filter(({ parent, key }) => {
    const value = (parent as { [key: string]: Tree })[key];
    return typeof value === 'object' && value !== null;
  });
  const { parent, key } = random.pick(holders);
  const holder = parent as { [key: string]: Tree };
  const text = JSON.stringify(holder[key] ?? null);
  if (key === 'root') return random.chance(0.5) ? text : tree;
  holder[key] = random.chance(0.1) ? text.slice(0, -1) : text;
  return tree;
}
