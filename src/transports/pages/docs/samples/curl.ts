import { SAMPLE_PHOTO, type SampleRequest } from './request.js';

/**
 * A command that runs an example as printed, in any POSIX shell. It reads `$KEY`, and a variable for each
 * value that only an earlier response can provide; a form sends a photo from the current directory.
 */
export function buildCurl({ method, url, json, form, taken }: SampleRequest): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(url, taken)}`,
    `-H "X-Service-API-Key: $KEY"`,
  ];
  if (form) lines.push(...form.map(([name, text]) => `-F ${name}=${text}`), `-F file=@${SAMPLE_PHOTO}`);
  if (json) {
    const body = quote(JSON.stringify(json, undefined, 2), taken);
    lines.push(`-H 'Content-Type: application/json'`, `-d ${body}`);
  }
  return lines.join(' \\\n  ');
}

/**
 * A single shell word, quoted as its characters require; a value taken from an earlier response stays a shell
 * variable.
 */
function quote(text: string, taken: SampleRequest['taken']): string {
  let quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  for (const [variable, { value }] of Object.entries(taken)) {
    quoted = quoted.replaceAll(value, `'"$${variable}"'`);
  }
  return quoted.replace(/''$/, '');
}
