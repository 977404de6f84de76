/*
 * Sends one request with a deadline of a second and prints the outcome. Argument: the address. The test
 * suspends the process in between, like a computer that sleeps.
 */
import { createHttp } from '../../../.build/src/marketplace/http/http.js';
import { openNetwork } from '../../../.build/src/marketplace/http/network.js';

const http = createHttp(openNetwork(), () => new Date());
const url = new URL(process.argv[2]);
const outcome = await http.send({
  method: 'GET',
  origin: url.origin,
  path: url.pathname,
  headers: {},
  timeout_ms: 1_000,
});
process.stdout.write('reason' in outcome ? outcome.reason : outcome.text);
await http.close();
