import { describe, expect, it } from 'vitest';
import { readSources } from './sources.js';

/** Rooms whose time and randomness come through ports, so a simulation can control them. */
const ROOMS: ReadonlySet<string> = new Set([
  'core',
  'store',
  'webhooks',
  'marketplace',
  'sandbox',
  'blobs',
  'media',
  'compose',
]);

/** Also these folders of rooms whose other folders may use them. */
const FOLDERS: readonly string[] = ['src/transports/mcp/'];

/** Files that may use the platform's own time or randomness, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/marketplace/http/network.ts': 'sockets live in real time; a simulation brings another network',
  'src/webhooks/post.ts': 'sockets live in real time; a simulation brings another way to receivers',
  'src/core/async/next_turn.ts': 'gives way to everything else that is due, and waits for no time',
  'src/sandbox/ports.ts': "the sandbox's own system clock and chance",
  'src/sandbox/address.ts': 'holds a port of this computer; a simulation has no server',
  'src/store/engine/sqlite/locking.ts':
    'other processes live in real time; a simulation brings another pause',
  'src/store/engine/postgres/presence.ts': 'says that the process lives, which it does in real time',
  'src/store/engine/postgres/open.ts': 'waits for another process that brings the database up to date',
  'src/media/fetching/guarded_dispatcher.ts': 'sockets live in real time',
  'src/media/fetching/lookup.ts': 'name servers answer in real time',
  'src/media/fetching/fetch_document.ts': 'sockets live in real time',
  'src/media/fetching/fetch_file.ts': 'sockets live in real time',
  'src/media/fetching/transfer_rate.ts': 'measures sockets',
  'src/media/photos/draw_photo.ts': 'ends a process that runs in real time',
  'src/media/places.ts': 'waits for sockets and processes',
  'src/media/staging.ts': 'names files of a folder; a simulation brings media of its own',
  'src/media/thumbnails/folder.ts': 'names files of a folder; a simulation brings media of its own',
  'src/media/thumbnails/thumbnails.ts':
    'remembers what files and sockets gave; a simulation brings media of its own',
  'src/blobs/folder.ts': 'names a file that is being deleted, which nothing else looks at',
  'src/compose/kept_finding.ts': 'keeps what probes are told, whose requests come in real time',
  'src/compose/backup/copy_blobs.ts': 'names a file of a folder, by a command that ends',
  'src/compose/examination.ts': 'a command that ends, and asks in real time',
  'src/transports/mcp/stdio/lines.ts': 'pipes live in real time; a simulation calls tools without them',
  'src/transports/mcp/stdio/refuse.ts': 'waits for a pipe',
  'src/transports/mcp/server.ts': 'measures how long a person took; a simulation answers without a server',
};

const USES: readonly RegExp[] = [
  /\bDate\.now\b/g,
  /\bnew Date\(\s*\)/g,
  // Called as a function, it returns the time as text.
  /(?<!new )\bDate\(/g,
  /\bperformance\b/g,
  /\bMath\.random\b/g,
  /\bset(?:Timeout|Interval|Immediate)\b/g,
  /\bAbortSignal\.timeout\b/g,
  /\brandom(?:Bytes|UUID|FillSync|Fill|Int)\b/g,
  /\bgetRandomValues\b/g,
  /\bhrtime\b/g,
  /\bprocess\.(?:uptime|nextTick)\b/g,
  /\bqueueMicrotask\b/g,
  /'(?:node:)?timers(?:\/promises)?'/g,
  // Methods and functions of our own have a different word before them.
  /(?<=\b(?:await|return|void|=) )fetch\(/g,
];

/**
 * The platform's time and randomness that a file uses, by name. Comments and strings are ignored, except
 * module names.
 */
function listUses(text: string): string[] {
  const code = text.replaceAll(
    /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g,
    (found) => (/^'(?:node:)?timers(?:\/promises)?'$/.test(found) ? found : "''"),
  );
  return USES.flatMap((use) => [...code.matchAll(use)].map(([name]) => name));
}

const uses = readSources()
  .map(({ file, ...source }) => ({ ...source, file: file.replaceAll('\\', '/') }))
  .filter(({ room, file }) => ROOMS.has(room) || FOLDERS.some((folder) => file.startsWith(folder)))
  .flatMap(({ file, text }) => listUses(text).map((name) => ({ file, name })));

describe('time and randomness', () => {
  it('come through ports', () => {
    expect(
      uses.filter(({ file }) => !Object.hasOwn(ALLOWED, file)).map(({ file, name }) => `${file}: ${name}`),
    ).toEqual([]);
  });

  it('are used directly by every file on the list of exceptions', () => {
    const users = new Set(uses.map(({ file }) => file));
    expect(Object.keys(ALLOWED).filter((file) => !users.has(file))).toEqual([]);
  });

  it.each([
    ['const at = Date.now();', 'Date.now'],
    ['const at = new Date();', 'new Date()'],
    ['const text = Date();', 'Date('],
    ['const { now } = performance;', 'performance'],
    ['const random = Math.random;', 'Math.random'],
    ["it's; setTimeout(poke, 5); // and so on", 'setTimeout'],
    ['const later = setImmediate;', 'setImmediate'],
    ['const signal = AbortSignal.timeout(5);', 'AbortSignal.timeout'],
    ["import { randomBytes } from 'node:crypto';", 'randomBytes'],
    ["import * as crypto from 'node:crypto';\ncrypto.randomUUID();", 'randomUUID'],
    ["import { scheduler } from 'node:timers/promises';", "'node:timers/promises'"],
    ["const url = 'https://a.test'; /* why */ process.hrtime.bigint();", 'hrtime'],
    ['await fetch(url);', 'fetch('],
  ])('are found in: %s', (text, name) => {
    expect(listUses(text)).toEqual([name]);
  });

  it.each([
    ['// not Date.now(), since it can be set'],
    ['/** As setTimeout does.\n * Math.random too. */'],
    ["throw new Error('no performance');"],
    ['const at = new Date(now_ms);'],
    ['media.fetchFile(url); clock.now();'],
  ])('are not found in: %s', (text) => {
    expect(listUses(text)).toEqual([]);
  });
});

describe('Unicode normalization', () => {
  it('happens in one place, whose time is bounded', () => {
    const users = readSources().filter(
      ({ room, text }) => room !== 'sandbox' && /\.normalize\((?:'NF\w+'|form)?\)/.test(text),
    );
    expect(users.map(({ file }) => file.replaceAll('\\', '/'))).toEqual(['src/core/text/normalize.ts']);
  });
});
