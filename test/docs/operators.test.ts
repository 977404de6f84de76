import { marked, type Tokens } from 'marked';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config/settings.js';
import { createMetrics } from '../../src/transports/metrics/metrics.js';
import { readGuides } from '../../src/transports/pages/docs/guides.js';
import { startService } from '../service.js';

type Compose = {
  services: Record<string, { image: string; environment?: Record<string, string>; volumes?: string[] }>;
  volumes: Record<string, unknown>;
};
type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };

/** What stands in blocks of YAML in the operators' guide. */
function readYaml(): unknown[] {
  const markdown = readGuides().find(({ name }) => name === 'operators')?.markdown ?? '';
  return marked
    .lexer(markdown)
    .filter((token): token is Tokens.Code => token.type === 'code' && token.lang === 'yaml')
    .map(({ text }) => parse(text, { strict: true }) as unknown);
}

it('the compose file is one, with settings and volumes that there are', () => {
  const { services, volumes } = readYaml()[0] as Compose;
  const variables = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  const set = Object.keys(services['listings']?.environment ?? {});
  expect(set).toContain('DATABASE_URL');
  expect(set.filter((name) => !variables.has(name))).toEqual([]);
  const used = Object.values(services).flatMap((service) => service.volumes ?? []);
  const names = new Set(used.map((volume) => volume.split(':')[0]));
  expect(names).toEqual(new Set(Object.keys(volumes)));
});

it('the alerts ask for figures that /metrics has', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const metrics = createMetrics(service.app.service, { getTaken: () => 0 });
  const text = await metrics.render();
  const { groups } = readYaml()[1] as Rules;
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(3);
  const named = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/\blisting_service_\w+/g)].map(([name]) => name),
  );
  const missing = named.filter((name) => !text.includes(`# TYPE ${name.replace(/_count$/, '')} `));
  expect(missing).toEqual([]);
});
