import { findMember, parseJsonc, type Member, type Value } from './jsonc.js';

/** The text with this entry among the servers, added or in the place of the one of that name. */
export function putEntry(given: string, servers: string, name: string, entry: unknown): string {
  const text = dropMark(given);
  if (isBlank(text)) return `${JSON.stringify({ [servers]: { [name]: entry } }, undefined, 2)}\n`;
  const root = readObject(parseJsonc(text), 'it');
  const member = findMember(root, servers);
  if (!member) return insert(text, root, 1, servers, { [name]: entry });
  const object = readObject(member.value, `"${servers}"`);
  const old = findMember(object, name);
  if (!old) return insert(text, object, 2, name, entry);
  const { start, end } = old.value;
  return text.slice(0, start) + write(text, 2, entry) + text.slice(end);
}

/** The text without this entry; the same text when it has none. */
export function removeEntry(given: string, servers: string, name: string): string {
  if (isBlank(given)) return given;
  const text = dropMark(given);
  const object = findServers(text, servers);
  const found = object && findMember(object, name);
  // Should the name be there twice, the earlier one would count then.
  return found ? removeEntry(cut(text, object.members ?? [], found), servers, name) : given;
}

/** What is configured under this name; undefined when nothing is. */
export function readEntry(text: string, servers: string, name: string): unknown {
  if (isBlank(text)) return undefined;
  const object = findServers(text, servers);
  return object && findMember(object, name)?.value.value;
}

function findServers(text: string, servers: string): Value | undefined {
  const member = findMember(readObject(parseJsonc(text), 'it'), servers);
  return member && readObject(member.value, `"${servers}"`);
}

/** Editors on Windows begin a file with a byte order mark, and Claude Desktop starts no server at all from such a file. */
export function dropMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function readObject(value: Value, what: string): Value {
  if (value.members) return value;
  throw new Error(`${what} is no object`);
}

/** Inserts the member as the last one, on a line of its own, behind everything in the object, comments included. */
function insert(
  text: string,
  { start, end, members = [] }: Value,
  depth: number,
  name: string,
  value: unknown,
) {
  const { unit, eol } = getStyle(text);
  const last = members.at(-1);
  const inside = text.slice(start + 1, end - 1);
  const kept = inside.trimEnd();
  const at = (last?.value.end ?? start + 1) - start - 1;
  const comma = last && last.comma === undefined ? ',' : '';
  const tail = inside.slice(kept.length);
  const habit = last?.comma === undefined ? '' : ',';
  const added = `${eol}${unit.repeat(depth)}${JSON.stringify(name)}: ${write(text, depth, value)}${habit}`;
  const close = tail.includes('\n') ? tail : `${eol}${unit.repeat(depth - 1)}`;
  return `${text.slice(0, start + 1)}${kept.slice(0, at)}${comma}${kept.slice(at)}${added}${close}${text.slice(end - 1)}`;
}

/** With its comma (the one before it, when it is the last), and with its line when nothing else is on it. */
function cut(text: string, members: readonly Member[], member: Member): string {
  const before = members[members.indexOf(member) - 1];
  const end = member.comma === undefined ? member.value.end : member.comma + 1;
  const line_start = text.lastIndexOf('\n', member.start) + 1;
  const isAlone =
    text.slice(line_start, member.start).trim() === '' && /^[ \t]*(\r?\n|$)/.test(text.slice(end));
  const start = isAlone ? text.slice(0, line_start).replace(/\r?\n$/, '').length : member.start;
  const head = text.slice(0, start);
  const comma = member.comma === undefined ? before?.comma : undefined;
  return (comma === undefined ? head : head.slice(0, comma) + head.slice(comma + 1)) + text.slice(end);
}

function write(text: string, depth: number, value: unknown): string {
  const { unit, eol } = getStyle(text);
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + unit.repeat(depth));
}

function getStyle(text: string): { unit: string; eol: string } {
  return {
    unit: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ',
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
