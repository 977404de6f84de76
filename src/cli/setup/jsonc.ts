import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser';

/*
 * Parses JSON with comments and trailing commas, as editors keep it. The library parses; its edits are not used, because they move a
 * comment behind the last member to the member that is added (node-jsonc-parser, issue 125).
 */

export type Value = {
  start: number;
  /** The offset behind the last character. */
  end: number;
  value: unknown;
  /** The members of an object, in their order. */
  members?: Member[];
};

export type Member = {
  name: string;
  start: number;
  value: Value;
  /** The offset of the comma behind the member, when there is one. */
  comma?: number;
};

/** Parses a text. Throws an Error that names the line of the first mistake. */
export function parseJsonc(text: string): Value {
  const errors: ParseError[] = [];
  // The library does not skip a byte order mark, which editors on Windows write first.
  const read = text.replace(/^\uFEFF/, ' ');
  const root = parseTree(read, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error || !root) throw buildError(text, error?.offset ?? text.length);
  return toValue(read, root);
}

/** The last member of that name, which is the one that counts. */
export function findMember({ members }: Value, name: string): Member | undefined {
  return members?.findLast((member) => member.name === name);
}

/** Whether a text that parseJsonc accepts is not plain JSON: it has comments or trailing commas. */
export function isMoreThanJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return false;
  } catch {
    return true;
  }
}

function toValue(text: string, { type, offset, length, value, children = [] }: Node): Value {
  const place = { start: offset, end: offset + length };
  if (type === 'array') return { ...place, value: children.map((child) => toValue(text, child).value) };
  if (type !== 'object') return { ...place, value: value as unknown };
  const members = children.map((child) => toMember(text, child));
  return {
    ...place,
    value: Object.fromEntries(members.map((member) => [member.name, member.value.value])),
    members,
  };
}

function toMember(text: string, { offset, children = [] }: Node): Member {
  const [name, of_name] = children;
  if (!name || !of_name) throw buildError(text, offset);
  const value = toValue(text, of_name);
  const comma = findComma(text, value.end);
  return { name: String(name.value), start: offset, value, ...(comma !== undefined && { comma }) };
}

function findComma(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

function buildError(text: string, offset: number): Error {
  const line = text.slice(0, offset).split('\n').length;
  return new Error(
    offset < text.trimEnd().length
      ? `line ${line} is no JSON`
      : `it ends in line ${line}, too early for JSON`,
  );
}
