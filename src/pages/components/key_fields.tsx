import type { ComponentChildren } from 'preact';

/**
 * The content of a form that signs a person in with an API key, in the field `key`. Its children say where to
 * find a key.
 */
export function KeyFields({ children }: { children: ComponentChildren }) {
  return (
    <>
      <div class="field">
        <label for="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="current-password"
          required
          aria-describedby="key-note"
        />
        <p class="note" id="key-note">
          {children}
        </p>
      </div>
      <div>
        <button type="submit">Sign in</button>
      </div>
    </>
  );
}
