import { Time } from './time.js';

/**
 * Why an API key was refused, and where to get another one. It says if a key has expired (`expired_at`): such
 * a key was valid once, so its holder has not guessed it. Revoked and unknown keys get the same message.
 */
export function KeyProblem({ expired_at }: { expired_at: string | undefined }) {
  return (
    <>
      {expired_at === undefined ? (
        <p>This key is unknown, mistyped, or revoked.</p>
      ) : (
        <p>
          This key has ended: it worked until <Time at={expired_at} />.
        </p>
      )}
      <p class="note">
        Create another one on the page “API keys and assistants” if you can still sign in, or with{' '}
        <code>listing-service keys create</code> on the computer where the service runs.
      </p>
    </>
  );
}
