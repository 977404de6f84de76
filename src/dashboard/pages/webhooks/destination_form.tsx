import { EVENT_TYPES, ORDER_EVENTS, type EventType } from '../../../../schemas/endpoint.js';
import type { Refused } from '../../../core/ports/index.js';
import { FieldProblem, markProblem } from '../../components/field_problem.js';
import { FormToken } from '../../components/form_token.js';
import type { Framing } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { EVENT_WORDS } from './endpoint.js';

type Props = {
  visit: Framing;
  url: string;
  /** The events that are ticked; undefined: the order events. */
  events: readonly EventType[] | undefined;
  /** The button's text. */
  submit: string;
  /** Why the form was refused. */
  refused?: Refused;
};

export function DestinationForm({ visit, url, events = ORDER_EVENTS, submit, refused }: Props) {
  return (
    <form method="post" action={`${PREFIX}/webhooks/destination`}>
      <FormToken visit={visit} />
      <div class="field">
        <label for="url">Address</label>
        <input
          id="url"
          name="url"
          type="text"
          inputmode="url"
          autocomplete="url"
          value={url}
          required
          placeholder="https://example.com/hooks/orders"
          {...markProblem({ name: 'url', refused }, 'url-note')}
        />
        <FieldProblem name="url" refused={refused} />
        <p class="note" id="url-note">
          The https address of your program. It answers with 200 to 299 within 15 seconds.
        </p>
      </div>
      <fieldset {...markProblem({ name: 'events', refused })}>
        <legend>Send an event when</legend>
        <FieldProblem name="events" refused={refused} />
        {EVENT_TYPES.map((event) => (
          <label class="choice" key={event}>
            <input type="checkbox" name="events" value={event} checked={events.includes(event)} />
            {EVENT_WORDS[event]}
          </label>
        ))}
      </fieldset>
      <div>
        <button type="submit">{submit}</button>
      </div>
    </form>
  );
}
