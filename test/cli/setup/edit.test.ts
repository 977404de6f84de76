import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { putEntry, readEntry, removeEntry } from '../../../src/cli/setup/edit.js';

const ENTRY = { command: '/usr/bin/node', args: ['cli.js', 'stdio'] };

const COMMENTED = `// My servers
{
\t"inputs": [], // none yet
\t"servers": {
\t\t/* the files // of the shop */
\t\t"files": { "command": "files", "args": ["--root", "https://x"], }, // keep
\t},
}
`;

describe('an entry in a configuration', () => {
  it('is added to a file with comments, tabs and trailing commas, whose other text stays', () => {
    const put = putEntry(COMMENTED, 'servers', 'mine', ENTRY);
    expect(put).toBe(
      COMMENTED.replace(
        '// keep\n\t}',
        '// keep\n\t\t"mine": {\n\t\t\t"command": "/usr/bin/node",\n\t\t\t"args": [\n\t\t\t\t"cli.js",\n\t\t\t\t"stdio"\n\t\t\t]\n\t\t},\n\t}',
      ),
    );
    expect(removeEntry(put, 'servers', 'mine')).toBe(COMMENTED);
  });

  it('is added with its comma before a comment, not after it', () => {
    expect(putEntry('{\n  "servers": {\n    "a": 1 // one\n  }\n}', 'servers', 'b', 2)).toBe(
      '{\n  "servers": {\n    "a": 1, // one\n    "b": 2\n  }\n}',
    );
  });

  it('keeps Windows line endings, and drops the byte order mark that Claude Desktop cannot read', () => {
    expect(putEntry('\uFEFF{\r\n  "a": 1\r\n}\r\n', 'servers', 'b', [1])).toBe(
      '{\r\n  "a": 1,\r\n  "servers": {\r\n    "b": [\r\n      1\r\n    ]\r\n  }\r\n}\r\n',
    );
  });

  it('is removed together with the byte order mark', () => {
    expect(removeEntry('\uFEFF{"s":{"mine":1}}', 's', 'mine')).toBe('{"s":{}}');
  });

  it.each(['', ' \n', '\uFEFF'])('is written into an empty file (%j)', (text) => {
    expect(putEntry(text, 'servers', 'mine', 1)).toBe('{\n  "servers": {\n    "mine": 1\n  }\n}\n');
    expect(readEntry(text, 'servers', 'mine')).toBeUndefined();
    expect(removeEntry(text, 'servers', 'mine')).toBe(text);
  });

  it.each([
    ['{"s":{"mine":1}}', '{"s":{}}'],
    ['{"s":{"mine":1,"b":2}}', '{"s":{"b":2}}'],
    ['{"s":{"a":1,"mine":2}}', '{"s":{"a":1}}'],
    ['{"s":{"mine":1,"b":2,"mine":3}}', '{"s":{"b":2}}'],
    ['{"s":{"a":1 /* a */,\n  "mine":2 // mine\n}}', '{"s":{"a":1 /* a */\n   // mine\n}}'],
    ['{"other":{"mine":1}}', '{"other":{"mine":1}}'],
  ])('is removed from %s', (text, left) => {
    expect(removeEntry(text, 's', 'mine')).toBe(left);
  });

  it('is added to and removed from any JSON without other changes', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
    const servers = fc.option(object, { nil: undefined });
    fc.assert(
      fc.property(
        object,
        servers,
        fc.constantFrom(undefined, 2, '\t'),
        fc.string(),
        (rest, s, indent, name) => {
          const { servers: _, ...others } = rest;
          const before = { ...others, ...(s && { servers: s }) };
          const text = JSON.stringify(before, undefined, indent);
          const put = putEntry(text, 'servers', name, ENTRY);
          const expected = JSON.parse(text) as { servers?: Record<string, unknown> };
          const entries = Object.entries(expected.servers ?? {});
          expect(JSON.parse(put)).toEqual({
            ...expected,
            servers: Object.fromEntries([...entries, [name, ENTRY]]),
          });
          expect(readEntry(put, 'servers', name)).toEqual(ENTRY);
          const removed = removeEntry(put, 'servers', name);
          expect(JSON.parse(removed)).toEqual({
            ...expected,
            servers: Object.fromEntries(entries.filter(([key]) => key !== name)),
          });
        },
      ),
    );
  });
});

describe('a file that is not a configuration', () => {
  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3 is not JSON'],
    ['{"a": nope}', 'line 1 is not JSON'],
    ['{"a": 01}', 'line 1 is not JSON'],
    ['{"a": [1 2]}', 'line 1 is not JSON'],
    ['{\n"a": /* open', 'line 2 is not JSON'],
    ['{"a": 1} x', 'line 1 is not JSON'],
    ['{"a": {\n', 'the JSON is cut off at line 2'],
    ['[]', 'it is not an object'],
    ['{"servers": []}', '"servers" is not an object'],
  ])('is refused: %s', (text, reason) => {
    expect(() => putEntry(text, 'servers', 'mine', 1)).toThrow(reason);
    expect(() => removeEntry(text, 'servers', 'mine')).toThrow(reason);
  });
});

it('any JSON is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(readEntry(`{"s":{"mine":${text}}}`, 's', 'mine')).toEqual(JSON.parse(text));
    }),
  );
});
