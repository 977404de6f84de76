import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthenticate } from '../../src/transports/auth.js';
import { createGuesses } from '../../src/transports/guesses.js';
import { listenOn } from '../../src/transports/http/face.js';
import { buildHttpServer } from '../../src/transports/http/server.js';
import { addMcp } from '../../src/transports/mcp/http/routes.js';
import { createMethods } from '../../src/transports/mcp/methods.js';
import { buildEnvironment, startServe } from '../surfaces/faces.js';
import { openSample } from '../transports/sample.js';
import { borrow, NOT_BORROWED } from './borrowed_node.js';
import { addFixtures } from './fixtures.js';
import { startProxy } from './proxy.js';

/*
 * The protocol's own conformance suite.
 */

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const HOST = '127.0.0.1';

/** Scenarios that need no fixture. */
const SHIPPED: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'prompts-list',
    'resources-list',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
  '2026-07-28': [
    'tools-list',
    'prompts-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
};

it.for(Object.keys(SHIPPED))(
  'the transports with the suite’s fixtures conform to %s',
  async (revision, { skip }) => {
    const conformance = (await borrow(SUITE, 'conformance')) ?? skip(NOT_BORROWED);
    const url = await serveFixtures(revision);
    const { code, stdout } = await conformance([
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      fileURLToPath(new URL(`expected_failures/${revision}.yml`, import.meta.url)),
    ]);
    const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='));
    process.stdout.write(`\n${revision}\n${summary}\n`);
    expect([code, summary]).toEqual([0, expect.stringContaining('Total:')]);
  },
);

it.for(Object.entries(SHIPPED))(
  'the built program conforms to %s',
  async ([revision, scenarios], { skip }) => {
    const conformance = (await borrow(SUITE, 'conformance')) ?? skip(NOT_BORROWED);
    const url = await serveProgram();
    const outcomes = await Promise.all(
      scenarios.map(async (scenario) => {
        const args = ['--url', url, '--scenario', scenario, '--spec-version', revision];
        const { code, stdout } = await conformance(['server', ...args]);
        process.stdout.write(`${code === 0 ? '✓' : '✗'} ${revision} ${scenario}, as shipped\n`);
        return code === 0 ? undefined : stdout;
      }),
    );
    expect(outcomes).toEqual(scenarios.map(() => undefined));
  },
);

async function serveFixtures(revision: string): Promise<string> {
  const { service, key } = await openSample();
  const server = buildHttpServer(service, { trust_proxy: false });
  addMcp(server, service, {
    methods: addFixtures(createMethods(service), revision),
    authenticate: createAuthenticate(service, createGuesses(service)),
    host: HOST,
  });
  const face = await listenOn(server, { host: HOST, port: 0 });
  onTestFinished(() => face.close(0));
  return addKey(face.port, key);
}

async function serveProgram(): Promise<string> {
  const data_dir = await mkdtemp(join(tmpdir(), 'conformance-'));
  const served = await startServe(buildEnvironment(data_dir));
  onTestFinished(async () => {
    await served.stop();
    await rm(data_dir, { recursive: true });
  });
  return addKey(Number(new URL(served.url).port), served.key);
}

async function addKey(port: number, key: string): Promise<string> {
  const proxy = await startProxy(port, { 'x-service-api-key': key });
  onTestFinished(() => proxy.close());
  return `${proxy.url}/mcp`;
}
