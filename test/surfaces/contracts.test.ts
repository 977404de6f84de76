import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { format } from 'prettier';
/* oxlint-disable vitest/valid-expect -- the second argument is what to do when it fails */
import { operations } from '../../tools/index.js';
import type { Operation } from '../../src/core/operations/operation.js';
import { buildInputSchema, buildOutputSchema } from '../../src/transports/json_schema.js';
import { buildTool } from '../../src/transports/mcp/tools/tool.js';

const FOLDER = fileURLToPath(new URL('../contracts', import.meta.url));
const ADVICE =
  'What callers see of this operation has changed. If that is meant, accept it with: npm run contracts:accept';

/** Everything that a caller can depend on. */
function buildContract(operation: Operation) {
  const { name, ...tool } = buildTool(operation);
  const { route, auth, tag, errors, headers = {} } = operation;
  // The whole output schema, of which tools/list shows an outline.
  const outputSchema = buildOutputSchema(operation);
  return { operationId: name, route, auth, tag, errors, headers, ...tool, outputSchema };
}

describe('the contract', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'of %s is unchanged',
    async (id, operation) => {
      const text = await format(JSON.stringify(buildContract(operation)), {
        parser: 'json',
        printWidth: 110,
      });
      await expect(text, ADVICE).toMatchFileSnapshot(`${FOLDER}/${id}.json`);
    },
  );

  it('exists for every operation and for nothing else', async () => {
    const files = await readdir(FOLDER);
    expect(files.sort(), ADVICE).toEqual(operations.map(({ id }) => `${id}.json`).sort());
  });

  it('has unique ids that MCP accepts, and unique routes', () => {
    for (const { id } of operations) expect(id).toMatch(/^[a-z][a-z_]{0,63}$/);
    const routes = operations.map(({ route }) => `${route.method} ${route.path}`);
    expect(new Set(routes).size).toBe(operations.length);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  it('names only input fields in paths, and has a body only if the method allows one', () => {
    for (const operation of operations) {
      const { route } = operation;
      const { properties } = buildInputSchema(operation);
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(names));
    }
    const bodiless = operations.filter(({ route }) => route.method === 'GET' || route.method === 'DELETE');
    expect(bodiless.filter(({ route }) => route.body !== undefined)).toEqual([]);
  });
});
