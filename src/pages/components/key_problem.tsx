import { Time } from './time.js';

/**
 * Why an API key opened nothing, and where another one comes from. That it has expired (`expired_at`) is told: it was right once,
 * so its holder has not guessed it. Revoked and unknown keys are told in the same words.
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
