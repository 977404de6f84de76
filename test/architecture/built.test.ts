import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/transports/events.js';
import { buildOpenApi } from '../../src/transports/openapi/document.js';
import { operations } from '../../tools/index.js';

const DIST = join(import.meta.dirname, '..', '..', 'dist', 'src');

describe('the built service', () => {
  it('contains no conversion of schemas', () => {
    const files = readdirSync(DIST).filter((name) => name.endsWith('.js'));
    expect(files).toContain('cli.js');
    const converting = files.filter((name) => /zodToJsonSchema/.test(readFileSync(join(DIST, name), 'utf8')));
    expect(converting).toEqual([]);
  });

  it('includes the license of every bundled package', () => {
    const terms = readFileSync(join(DIST, 'third_party_licenses.txt'), 'utf8').split('\n');
    const lines = terms.filter((line) => /^\S+ \d+\.\d+\.\d+\S* \(/.test(line));
    const named = new Set(lines.map((line) => line.split(' ')[0]));
    const { dependencies } = JSON.parse(readFileSync(join(DIST, '..', '..', 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).filter((name) => !named.has(name))).toEqual([]);
  });

  it('has source maps that lead stack traces to its sources', () => {
    const maps = readdirSync(DIST).filter((name) => name.endsWith('.js.map'));
    const sources = maps.flatMap((name) => {
      const map = JSON.parse(readFileSync(join(DIST, name), 'utf8')) as { sources: string[] };
      return map.sources.map((source) => resolve(DIST, source));
    });
    const own = sources.filter((source) => !source.includes('node_modules') && source.endsWith('.ts'));
    expect(own).toContain(resolve(DIST, '../../src/core/operations/invoke.ts'));
    expect(own.filter((source) => !existsSync(source))).toEqual([]);
  });

  it('contains the documentation of its sources', () => {
    const built = JSON.parse(readFileSync(join(DIST, 'docs', 'openapi.json'), 'utf8')) as {
      servers: [{ url: string }];
    };
    expect(built).toEqual(
      JSON.parse(JSON.stringify(buildOpenApi(operations, EVENTS, built.servers[0]?.url ?? ''))),
    );
  });
});
