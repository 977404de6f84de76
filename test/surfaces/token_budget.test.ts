import { Ajv2020 } from 'ajv/dist/2020.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { buildTool } from '../../src/transports/mcp/tools/tool.js';
import { operations } from '../../tools/index.js';

/* Every assistant pays for `tools/list` at each start. The unit is o200k tokens of its JSON. */

const BUDGET = { with_outputs: 12_000, without_outputs: 8_200 };

const count = (value: unknown): number => encode(JSON.stringify(value)).length;
const tools = operations.map(buildTool);

it('tools/list stays within its token budget', () => {
  const rows = tools.map(({ outputSchema, ...rest }) => ({
    tool: rest.name,
    description: count(rest.description),
    input: count(rest.inputSchema),
    output: count(outputSchema),
    all: count({ ...rest, outputSchema }),
  }));
  const with_outputs = count({ tools });
  const without_outputs = count({ tools: tools.map(({ outputSchema: _, ...rest }) => rest) });
  // oxlint-disable-next-line no-console -- the table is what one looks at when this fails
  console.table([
    ...rows,
    { tool: 'with outputs', all: with_outputs },
    { tool: 'without', all: without_outputs },
  ]);
  expect(with_outputs).toBeLessThan(BUDGET.with_outputs);
  expect(without_outputs).toBeLessThan(BUDGET.without_outputs);
});

describe('the output schema', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    "of %s accepts the outputs of the operation's examples",
    (_id, operation) => {
      const validate = new Ajv2020({ strict: false }).compile(buildTool(operation).outputSchema ?? {});
      expect(operation.examples.length).toBeGreaterThan(0);
      for (const { output } of operation.examples)
        expect([validate(output), validate.errors]).toEqual([true, null]);
      expect(validate([])).toBe(false);
    },
  );
});
