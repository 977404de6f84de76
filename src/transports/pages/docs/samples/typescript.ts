import { writeLiteral, type Dialect } from './literal.js';
import { SAMPLE_PHOTO, type SampleRequest } from './request.js';

/**
 * An ES module for Node without dependencies. From the environment, it reads KEY, and a variable for each
 * value that only an earlier response can provide.
 */
export function buildTypeScript({ method, url, json, form, taken, is_file }: SampleRequest): string {
  const dialect = buildDialect(taken);
  const headers = [`'X-Service-API-Key': KEY`, ...(json ? [`'Content-Type': 'application/json'`] : [])].join(
    ', ',
  );
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `headers: { ${headers} }`,
    ...(json ? [`body: JSON.stringify(${writeLiteral(json, dialect, 1)})`] : []),
    ...(form ? ['body: form'] : []),
  ];
  const variables = ['KEY', ...Object.keys(taken)].map((name) => `${name} = ''`);
  return [
    ...(form ? [`import { openAsBlob } from 'node:fs';`, ''] : []),
    `const { ${variables.join(', ')} } = process.env;`,
    ...(form
      ? [
          'const form = new FormData();',
          ...form.map(([name, text]) => `form.append('${name}', ${dialect.writeText(text)});`),
          `form.append('file', await openAsBlob('${SAMPLE_PHOTO}'), '${SAMPLE_PHOTO}');`,
        ]
      : []),
    `const response = await fetch(${dialect.writeText(url)}, {`,
    ...options.map((option) => `  ${option},`),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    `console.log(await response.${is_file ? 'text' : 'json'}());`,
  ].join('\n');
}

function buildDialect(taken: SampleRequest['taken']): Dialect {
  return {
    indent: 2,
    padding: ' ',
    constants: { true: 'true', false: 'false', null: 'null' },
    writeKey: (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)),
    writeText: (text) => writeText(text, taken),
  };
}

function writeText(text: string, taken: SampleRequest['taken']): string {
  const found = Object.entries(taken).find(([, { value }]) => text.includes(value));
  if (!found) return quote(text);
  const [variable, { value }] = found;
  if (text === value) return variable;
  const parts = text.split(value).map((part) => part.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`));
  return `\`${parts.join(`\${${variable}}`)}\``;
}

function quote(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}
