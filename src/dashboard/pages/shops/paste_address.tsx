import { PASTE_PATH } from '../../../core/shops/connecting.js';

/** For a browser that cannot open the page that the marketplace sends it to, as on another computer than the service. */
export function PasteAddress() {
  return (
    <details>
      <summary>Your browser could not open the page after you agreed?</summary>
      <form method="get" action={PASTE_PATH}>
        <div class="field">
          <label for="address">The address of that page</label>
          <input id="address" name="address" type="url" autocomplete="off" spellcheck={false} required />
          <p class="note">Copy all of the address bar; it has /connect/callback?code= in it.</p>
        </div>
        <div>
          <button type="submit">Finish connecting</button>
        </div>
      </form>
    </details>
  );
}
