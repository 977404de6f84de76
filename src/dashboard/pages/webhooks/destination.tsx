import { toRefusal } from '../../operations.js';
import { Refusal } from '../../components/notice.js';
import { Dashboard } from '../../layout.js';
import type { Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import type { ShownOnce } from '../../shown_once.js';
import { DestinationForm } from './destination_form.js';
import { findEndpoint, readEvents } from './endpoint.js';
import { SECRET_PATHS } from './secret.js';

/** Sets the address and the events, or changes them. */
export function createDestination(shown_once: ShownOnce): Page {
  return {
    path: '/webhooks/destination',
    async get(visit) {
      const endpoint = await findEndpoint(visit.operations);
      return (
        <Dashboard visit={visit} title="Webhook destination" section="Webhooks" width="narrow">
          <h1>Where should events go?</h1>
          <div class="card">
            <DestinationForm
              visit={visit}
              url={endpoint?.url ?? ''}
              events={endpoint?.events}
              submit="Save"
            />
          </div>
        </Dashboard>
      );
    },
    async post(visit) {
      const { fields } = visit.form;
      const url = (fields.get('url') ?? '').trim();
      const events = readEvents(fields);
      const set = await visit.operations.call('webhook_endpoint_set', { url, events }).catch(toRefusal);
      if ('error' in set) {
        const page = (
          <Dashboard visit={visit} title="Webhook destination" section="Webhooks" width="narrow">
            <h1>Where should events go?</h1>
            <Refusal error={set.error} placed={['url', 'events']} />
            <div class="card">
              <DestinationForm visit={visit} url={url} events={events} submit="Save" refused={set.error} />
            </div>
          </Dashboard>
        );
        return show(page, { status: set.error.status });
      }
      return set.secret === undefined
        ? redirect(`${PREFIX}/webhooks`)
        : shown_once.leave(visit, SECRET_PATHS.first, set.secret);
    },
  };
}
