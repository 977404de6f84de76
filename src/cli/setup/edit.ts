import { createScanner, getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';

/* Edits JSON with comments and trailing commas, as editors keep it. The library parses. Its `modify` is not
   used: it moves a comment after the last member to the member that it adds (node-jsonc-parser, issue 125),
   deletes comments next to the member that it removes, and takes the first of two members with the same
   name, where programs take the last. */

/** The text with this entry among the servers, added or replacing the one with that name. */
export function putEntry(given: string, servers: string, name: string, entry: unknown): string {
  const text = dropMark(given);
  if (isBlank(text)) return `${JSON.stringify({ [servers]: { [name]: entry } }, undefined, 2)}\n`;
  const root = readObject(parseJsonc(text), 'it');
  const of_servers = findMember(root, servers);
  if (!of_servers) return insert(text, root, 1, servers, { [name]: entry });
  const object = readObject(getValue(of_servers), `"${servers}"`);
  const old = findMember(object, name);
  if (!old) return insert(text, object, 2, name, entry);
  const value = getValue(old);
  return text.slice(0, value.offset) + write(text, 2, entry) + text.slice(getEnd(value));
}

/** The text without this entry; the same text if it has none. */
export function removeEntry(given: string, servers: string, name: string): string {
  if (isBlank(given)) return given;
  const text = dropMark(given);
  const object = findServers(text, servers);
  const found = object && findMember(object, name);
  // If the name occurs twice, the earlier entry would count then.
  return found ? removeEntry(cut(text, object, found), servers, name) : given;
}

/** The entry under this name; undefined if there is none. */
export function readEntry(text: string, servers: string, name: string): unknown {
  if (isBlank(text)) return undefined;
  const object = findServers(text, servers);
  const found = object && findMember(object, name);
  // The library's objects have no prototype, and would equal no other.
  return found && (structuredClone(getNodeValue(getValue(found))) as unknown);
}

/**
 * Editors on Windows start a file with a byte order mark, and Claude Desktop starts no server at all from
 * such a file.
 */
export function dropMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Whether a text that can be edited is not plain JSON: it has comments or trailing commas. */
export function isMoreThanJson(text: string): boolean {
  try {
    JSON.parse(dropMark(text));
    return false;
  } catch {
    return true;
  }
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function findServers(text: string, servers: string): Node | undefined {
  const member = findMember(readObject(parseJsonc(text), 'it'), servers);
  return member && readObject(getValue(member), `"${servers}"`);
}

/** Throws an Error that names the line of the first mistake. */
function parseJsonc(text: string): Node {
  const errors: ParseError[] = [];
  // The library does not skip a byte order mark, which editors on Windows write first.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (!error && root) return root;
  const offset = error?.offset ?? text.length;
  const line = text.slice(0, offset).split('\n').length;
  throw new Error(
    offset < text.trimEnd().length ? `line ${line} is not JSON` : `the JSON is cut off at line ${line}`,
  );
}

function readObject(node: Node, what: string): Node {
  if (node.type === 'object') return node;
  throw new Error(`${what} is not an object`);
}

/** The last member with that name, which is the one that counts. */
function findMember({ children = [] }: Node, name: string): Node | undefined {
  return children.findLast((member) => member.children?.[0]?.value === name);
}

function getValue(member: Node): Node {
  // Without errors, a member has a name and a value.
  return member.children![1]!;
}

function getEnd({ offset, length }: Node): number {
  return offset + length;
}

/** The offset of the comma after the member, if there is one. */
function findComma(text: string, member: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(getEnd(member));
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

/** Inserts the member last, on a line of its own, after everything in the object, including comments. */
function insert(text: string, object: Node, depth: number, name: string, value: unknown): string {
  const { unit, eol } = getStyle(text);
  const start = object.offset + 1;
  const end = getEnd(object) - 1;
  const last = object.children?.at(-1);
  const hasComma = last !== undefined && findComma(text, last) !== undefined;
  const inside = text.slice(start, end);
  const kept = inside.trimEnd();
  const at = last ? getEnd(last) - start : 0;
  const comma = last && !hasComma ? ',' : '';
  const tail = inside.slice(kept.length);
  const added = `${eol}${unit.repeat(depth)}${JSON.stringify(name)}: ${write(text, depth, value)}${hasComma ? ',' : ''}`;
  const close = tail.includes('\n') ? tail : `${eol}${unit.repeat(depth - 1)}`;
  return `${text.slice(0, start)}${kept.slice(0, at)}${comma}${kept.slice(at)}${added}${close}${text.slice(end)}`;
}

/**
 * Removes the member with its comma (the preceding one if it is the last), and with its line if nothing else
 * is on it.
 */
function cut(text: string, { children = [] }: Node, member: Node): string {
  const own_comma = findComma(text, member);
  const before = children[children.indexOf(member) - 1];
  const comma = own_comma === undefined && before ? findComma(text, before) : undefined;
  const end = own_comma === undefined ? getEnd(member) : own_comma + 1;
  const line_start = text.lastIndexOf('\n', member.offset) + 1;
  const isAlone =
    text.slice(line_start, member.offset).trim() === '' && /^[ \t]*(\r?\n|$)/.test(text.slice(end));
  const start = isAlone ? text.slice(0, line_start).replace(/\r?\n$/, '').length : member.offset;
  const head = text.slice(0, start);
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
