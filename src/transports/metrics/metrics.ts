import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from '../../core/ports/index.js';
import { within } from '../../core/async/within.js';
import type { BodyBudget } from '../http/body_budget.js';
import type { RecordedCall } from '../recorded_calls.js';
import type { Service } from '../service.js';

export type Metrics = {
  content_type: string;
  observe(call: RecordedCall): void;
  /** In the Prometheus text format. */
  render(): Promise<string>;
};

/** Seconds: from a cached read to several shops with ten photos each. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Counting reads the tables, so figures are reused within this time if scrapers poll more often. */
const FIGURES_AGE_MS = 10_000;
/**
 * Scrapers time out after ten seconds: figures that the database has not returned within this time are left
 * out.
 */
const FIGURES_WAIT_MS = 5_000;

/**
 * Gauges of the library with the suffix of counters, which metrics linters reject. Other metrics have the
 * same numbers by type.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

const nothing = (): undefined => undefined;

/**
 * Names begin with `listing_service_`, except those of the process, which have the names that dashboards
 * expect.
 */
export function createMetrics(
  {
    getFigures,
    listTroubles,
    clock,
    version,
  }: Pick<Service, 'getFigures' | 'listTroubles' | 'clock' | 'version'>,
  bodies: Pick<BodyBudget, 'getTaken'>,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Metrics that are counted in the database or read together with those: left out while the database does
  // not respond, since 0 would be wrong.
  const kept = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  const durations = new Histogram({
    name: 'listing_service_call_duration_seconds',
    help: 'Calls of operations, by what came of them: ok, or the code of the error',
    labelNames: ['operation', 'face', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  const marketplaceCalls = new Counter({
    name: 'listing_service_marketplace_calls_total',
    help: 'Calls sent to the marketplace, by application and by the status of the answer, or lost',
    labelNames: ['application', 'operation', 'outcome'],
    registers: [kept],
  });
  const gauge = (name: string, help: string, labelNames: string[] = [], holder = kept) =>
    new Gauge({ name: `listing_service_${name}`, help, labelNames, registers: [holder] });
  const left = gauge('marketplace_calls_left', 'Calls that may be sent to the marketplace now, by window', [
    'application',
    'window',
  ]);
  const jobs = gauge('jobs', 'Listing jobs that are kept, by status', ['status']);
  const deliveries = gauge('webhook_deliveries', 'Webhook deliveries that are kept, by status', ['status']);
  const drafts = gauge('drafts', 'Saved drafts');
  const draftBytes = gauge('draft_bytes', 'Bytes that were sent for saved drafts');
  const uploads = gauge('upload_bytes', 'Bytes of uploaded files that are kept');
  const free = gauge('disk_free_bytes', 'Bytes that are free on the disk of DATA_DIR');
  const fetches = gauge('fetches', 'Files that are fetched now');
  const reading = gauge('body_bytes', 'Bytes of requests that are being read now', [], registry);
  const ready = gauge('ready', 'Whether /readyz answers that work may be sent here: 1, else 0', [], registry);
  gauge('info', 'The version that runs', ['version'], registry).set({ version }, 1);

  /** `read_at_ms`: undefined while the read is in flight, so that concurrent scrapes wait for the same one. */
  let read: { figures: Promise<Figures>; read_at_ms?: number } | undefined;
  function readFigures(): Promise<Figures> {
    const { figures, read_at_ms = Infinity } = read ?? {};
    if (figures && clock.now().getTime() - read_at_ms < FIGURES_AGE_MS) return figures;
    const own: typeof read = { figures: getFigures() };
    own.figures.then(
      () => (own.read_at_ms = clock.now().getTime()),
      () => {
        if (read === own) read = undefined;
      },
    );
    read = own;
    return own.figures;
  }

  /** Undefined if the database does not respond, or not in time. */
  function waitForFigures(): Promise<Figures | undefined> {
    return within(clock, FIGURES_WAIT_MS, () => readFigures().catch(nothing), { is_idle: true });
  }

  function setFigures({ marketplace, upload_bytes, free_disk_bytes, ...states }: Figures): void {
    marketplaceCalls.reset();
    for (const { application, calls, left: now } of marketplace) {
      for (const { operation, outcome, count } of calls) {
        marketplaceCalls.inc({ application, operation, outcome }, count);
      }
      left.set({ application, window: 'second' }, now.per_second);
      if (now.today !== undefined) left.set({ application, window: 'day' }, now.today);
    }
    for (const [status, count] of Object.entries(states.jobs)) jobs.set({ status }, count);
    for (const [status, count] of Object.entries(states.deliveries)) deliveries.set({ status }, count);
    drafts.set(states.drafts.count);
    draftBytes.set(states.drafts.bytes);
    uploads.set(upload_bytes);
    if (free_disk_bytes !== undefined) free.set(free_disk_bytes);
    fetches.set(states.fetches);
  }

  return {
    content_type: registry.contentType,
    observe({ operation, face, code, duration_ms }) {
      durations.observe({ operation, face, outcome: code ?? 'ok' }, duration_ms / 1000);
    },
    async render() {
      const [figures, troubles] = await Promise.all([waitForFigures(), listTroubles()]);
      ready.set(troubles.length === 0 ? 1 : 0);
      reading.set(bodies.getTaken());
      if (!figures) return registry.metrics();
      setFigures(figures);
      return Registry.merge([registry, kept]).metrics();
    },
  };
}
