import type { Operation, TakenValue } from '../../../core/operation.js';
import { listBodyNames } from '../../openapi/request.js';
import { API_PREFIX } from '../../rest/rest.js';

type Taken = Readonly<Record<string, TakenValue>>;

/**
 * A command that plays an example as it is printed, in any POSIX shell. It reads `$KEY`, and a variable for each value that
 * only an earlier answer can give; a form sends `mug.jpg` of the current folder.
 */
export function buildCurl(
  { route }: Pick<Operation, 'route'>,
  { input, taken = {} }: Operation['examples'][number],
  base_url: string,
): string {
  const fields = input as Record<string, unknown>;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(fields[name]));
  const names = listBodyNames(route, Object.keys(fields));
  const query = route.body
    ? ''
    : new URLSearchParams(names.map((name) => [name, String(fields[name])])).toString();
  const url = `${base_url}${API_PREFIX}${path}${query && `?${query}`}`;
  const lines = [
    `curl${route.method === 'GET' ? '' : ` -X ${route.method}`} ${quote(url, taken)}`,
    `-H "X-Service-API-Key: $KEY"`,
  ];
  if (route.body === 'multipart') {
    lines.push(...names.map((name) => `-F ${name}=${String(fields[name])}`), '-F file=@mug.jpg');
  }
  if (route.body === 'json') {
    const body = Object.fromEntries(names.map((name) => [name, fields[name]]));
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d ${quote(JSON.stringify(body, undefined, 2), taken)}`,
    );
  }
  return lines.join(' \\\n  ');
}

/** Where a reader finds what the command's variables stand for. */
export function listTaken({
  taken = {},
}: Operation['examples'][number]): (TakenValue & { variable: string })[] {
  return Object.entries(taken).map(([variable, value]) => ({ variable, ...value }));
}

/** One word of the shell, whatever is in it; what is taken from an answer is left to the shell's variable. */
function quote(text: string, taken: Taken): string {
  let quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  for (const [variable, { value }] of Object.entries(taken)) {
    quoted = quoted.replaceAll(value, `'"$${variable}"'`);
  }
  return quoted.replace(/''$/, '');
}
