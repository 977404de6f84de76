import { ORDER_EVENTS, type OrderEvent } from '../../../../schemas/endpoint.js';
import { FormToken } from '../../components/form_token.js';
import type { Framing } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { EVENT_WORDS } from './endpoint.js';

type Props = {
  visit: Framing;
  url: string;
  /** The events that are ticked; undefined: all. */
  events: readonly OrderEvent[] | undefined;
  /** The button's text. */
  submit: string;
};

export function DestinationForm({ visit, url, events = ORDER_EVENTS, submit }: Props) {
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
          aria-describedby="url-note"
        />
        <p class="note" id="url-note">
          The https address of your program. It answers with 200 to 299 within 15 seconds.
        </p>
      </div>
      <fieldset>
        <legend>Tell it when</legend>
        {ORDER_EVENTS.map((event) => (
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
