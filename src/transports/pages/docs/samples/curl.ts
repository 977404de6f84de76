import { SAMPLE_PHOTO, type SampleRequest } from './request.js';

/**
 * A command that plays an example as it is printed, in any POSIX shell. It reads `$KEY`, and a variable for each value that
 * only an earlier answer can give; a form sends a photo of the current folder.
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

/** One word of the shell, quoted as its characters need it; a value taken from an earlier answer stays a shell variable. */
function quote(text: string, taken: SampleRequest['taken']): string {
  let quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  for (const [variable, { value }] of Object.entries(taken)) {
    quoted = quoted.replaceAll(value, `'"$${variable}"'`);
  }
  return quoted.replace(/''$/, '');
}
