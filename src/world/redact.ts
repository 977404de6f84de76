const MAX_DEPTH = 6;
const MAX_CHARS = 4_000;
const SECRET_NAME =
  /authorization|api[-_]?key|access[-_]?key|token|secret|password|cookie|signature|master[-_]?key|keystring/i;

/** A field of the log without secrets: keys, tokens, passwords, and the query strings of addresses. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) && item !== null && typeof item !== 'boolean'
        ? '[secret]'
        : redact(item, depth + 1),
    ]),
  );
}

function redactText(text: string): string {
  return PATTERNS.reduce(
    (result, [pattern, replacement]) => result.replace(pattern, replacement),
    text,
  ).slice(0, MAX_CHARS);
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Control characters that a terminal may obey and JSON does not escape.
  [/[\u007f-\u009f]+/g, ' '],
  // Keys, and the codes, access tokens and refresh tokens of grants.
  [/\b(mls[acr]?_)\w{4,}/g, '$1[secret]'],
  [/\bwhsec_[\w+/=-]+/g, 'whsec_[secret]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [secret]'],
  // The access key and signature of a request to a bucket.
  [/\b(Credential=|Signature=)[\w/+=-]+/g, '$1[secret]'],
  // The marketplace's tokens: a user's number, a dot, and the secret.
  [/\b\d{1,15}\.[\w-]{16,}/g, '[secret]'],
  // The user and password of an address, including a database's.
  [/(https?:\/\/|postgres(?:ql)?:\/\/)[^\s/@"']+@/gi, '$1'],
  [/\b(password=)[^\s&"']+/gi, '$1[secret]'],
  [/(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, '$1?[hidden]'],
  [/(\/upload\/)[\w-]{16,}/g, '$1[secret]'],
];

function redactError(error: Error, depth: number): unknown {
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name,
    message: redactText(message),
    ...(code === undefined ? {} : { code }),
    // The first line repeats the message.
    stack: redactText(stack?.split('\n').slice(1, 9).join('\n') ?? ''),
    ...(cause === undefined ? {} : { cause: redact(cause, depth + 1) }),
  };
}
