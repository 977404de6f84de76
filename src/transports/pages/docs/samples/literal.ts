/** How a language writes JSON values. */
export type Dialect = {
  /** Spaces per level. */
  indent: number;
  /** Inside the braces of an object on one line. */
  padding: '' | ' ';
  constants: Readonly<Record<'true' | 'false' | 'null', string>>;
  writeText: (text: string) => string;
  writeKey: (key: string) => string;
};

/** Beyond this length, an object or list is written over several lines. */
const MAX_LINE_CHARS = 88;

/**
 * A value as a literal of the language, as its formatter would write it.
 * @param depth indentation levels of the line on which it begins
 */
export function writeLiteral(value: unknown, dialect: Dialect, depth: number): string {
  const line = writeLine(value, dialect);
  const parts = listParts(value, dialect, (inner) => writeLiteral(inner, dialect, depth + 1));
  if (parts === undefined || depth * dialect.indent + line.length <= MAX_LINE_CHARS) return line;
  const margin = ' '.repeat(dialect.indent * (depth + 1));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = parts.map((part) => `${margin}${part},\n`);
  return `${open}\n${lines.join('')}${' '.repeat(dialect.indent * depth)}${close}`;
}

function writeLine(value: unknown, dialect: Dialect): string {
  const parts = listParts(value, dialect, (inner) => writeLine(inner, dialect));
  if (parts === undefined) return writePlain(value, dialect);
  if (Array.isArray(value)) return `[${parts.join(', ')}]`;
  const { padding } = dialect;
  return parts.length === 0 ? '{}' : `{${padding}${parts.join(', ')}${padding}}`;
}

/** The entries of an object or a list; undefined for a plain value. */
function listParts(value: unknown, { writeKey }: Dialect, write: (inner: unknown) => string) {
  if (Array.isArray(value)) return value.map(write);
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).map(([key, inner]) => `${writeKey(key)}: ${write(inner)}`);
}

function writePlain(value: unknown, { constants, writeText }: Dialect): string {
  if (typeof value === 'string') return writeText(value);
  const text = JSON.stringify(value);
  return text in constants ? constants[text as keyof typeof constants] : text;
}
