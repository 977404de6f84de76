import { cleanForeign } from '../../core/errors.js';
import { getContent, type FolderInspection } from '../../store/index.js';
import { ok, problem, skipped, type Check } from './check.js';

/** The destination of an account's order events may be sent to. */
export function checkWebhooks(folder: FolderInspection, allow_http: boolean): Check[] {
  const content = getContent(folder);
  if (!content) return [skipped('webhook', 'Not looked at: there is nothing to read it from.')];
  if (content.endpoints.length === 0) {
    return [ok('webhook', 'No destination is set, so order events are kept and not sent.')];
  }
  return content.endpoints.map(({ account_name, url, is_enabled }) => {
    const name = `webhook of ${cleanForeign(account_name)}`;
    const { protocol, host } = new URL(url);
    if (!is_enabled) {
      return problem(
        name,
        `The destination at ${host} was switched off.`,
        'See what it answers with webhook_test, then set it again with webhook_endpoint_set.',
      );
    }
    if (protocol !== 'https:' && !allow_http) {
      return problem(
        name,
        `The destination at ${host} is not https, and WEBHOOK_ALLOW_HTTP is off.`,
        'Set an https address with webhook_endpoint_set.',
      );
    }
    return ok(name, `Order events go to ${host}.`);
  });
}
