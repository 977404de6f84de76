import { writeLiteral, type Dialect } from './literal.js';
import { SAMPLE_PHOTO, type SampleRequest } from './request.js';

/**
 * A program for Python 3 with the library requests. From the environment, it reads KEY, and a variable for
 * each value that only an earlier response can provide.
 */
export function buildPython({ method, url, json, form, taken, is_file }: SampleRequest): string {
  const dialect = buildDialect(taken);
  const fields = form && Object.fromEntries(form);
  const given = [
    dialect.writeText(url),
    'headers={"X-Service-API-Key": os.environ["KEY"]}',
    ...(json ? [`json=${writeLiteral(json, dialect, 1)}`] : []),
    ...(fields && form.length > 0 ? [`data=${writeLiteral(fields, dialect, 1)}`] : []),
    ...(form ? [`files={"file": open("${SAMPLE_PHOTO}", "rb")}`] : []),
  ];
  return [
    'import os',
    '',
    'import requests',
    '',
    ...Object.keys(taken).map((name) => `${name} = os.environ["${name}"]`),
    `response = requests.${method.toLowerCase()}(`,
    ...given.map((one) => `    ${one},`),
    ')',
    'if not response.ok:',
    '    raise SystemExit(response.text)',
    `print(response.${is_file ? 'text' : 'json()'})`,
  ].join('\n');
}

function buildDialect(taken: SampleRequest['taken']): Dialect {
  return {
    indent: 4,
    padding: '',
    constants: { true: 'True', false: 'False', null: 'None' },
    writeKey: (key) => JSON.stringify(key),
    writeText: (text) => writeText(text, taken),
  };
}

function writeText(text: string, taken: SampleRequest['taken']): string {
  const found = Object.entries(taken).find(([, { value }]) => text.includes(value));
  if (!found) return JSON.stringify(text);
  const [variable, { value }] = found;
  if (text === value) return variable;
  const parts = text
    .split(value)
    .map((part) => JSON.stringify(part).slice(1, -1).replaceAll(/[{}]/g, '$&$&'));
  return `f"${parts.join(`{${variable}}`)}"`;
}
