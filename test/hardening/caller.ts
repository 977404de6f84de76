import { Agent, request } from 'node:http';

/** The results of a well-behaved caller while others misbehaved. */
type Experience = {
  answered: number;
  failed: string[];
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
};

export type Caller = { stop(): Promise<Experience> };

/** Requests a page of listings, as startAsking does. */
export function startCaller(url: string, key: string): Caller {
  return startAsking(`${url}/api/v1/listings`, { 'x-service-api-key': key });
}

/** Makes requests over a new connection and a kept one in turn until told to stop. */
export function startAsking(url: string, headers: Record<string, string>): Caller {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const durations: number[] = [];
  const failed: string[] = [];
  const over = new AbortController();
  const run = async () => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const started = performance.now();
      const outcome = await ask(url, headers, index % 2 === 0 ? false : kept);
      if (outcome === 'ok') durations.push(performance.now() - started);
      else failed.push(outcome);
      await new Promise((done) => setTimeout(done, 10));
    }
    kept.destroy();
  };
  const running = run();
  return {
    async stop() {
      over.abort();
      await running;
      const sorted = durations.toSorted((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
      return { answered: sorted.length, failed, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) };
    },
  };
}

function ask(url: string, headers: Record<string, string>, agent: Agent | false): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve(response.statusCode === 200 ? 'ok' : `status ${response.statusCode}`),
      );
      response.once('error', (error) => resolve(error.message));
    });
    sent
      .once('error', (error) =>
        // A keep-alive connection may close just when it is used again; its client then repeats the request.
        resolve(sent.reusedSocket ? ask(url, headers, false) : error.message),
      )
      .end();
  });
}
