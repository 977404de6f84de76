import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/transports/events.js';
import { buildOpenApi } from '../../src/transports/openapi/document.js';
import { operations } from '../../tools/index.js';

const DIST = join(import.meta.dirname, '..', '..', 'dist', 'src');

describe('the built service', () => {
  it('has no conversion of schemas in it', () => {
    const files = readdirSync(DIST).filter((name) => name.endsWith('.js'));
    expect(files).toContain('cli.js');
    const converting = files.filter((name) => /zodToJsonSchema/.test(readFileSync(join(DIST, name), 'utf8')));
    expect(converting).toEqual([]);
  });

  it('documents what its sources say', () => {
    const built = JSON.parse(readFileSync(join(DIST, 'docs', 'openapi.json'), 'utf8')) as {
      servers: [{ url: string }];
    };
    expect(built).toEqual(
      JSON.parse(JSON.stringify(buildOpenApi(operations, EVENTS, built.servers[0]?.url ?? ''))),
    );
  });
});
