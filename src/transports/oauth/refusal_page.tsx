import { Layout, renderPage } from '../../pages/index.js';

type Props = {
  is_sandbox: boolean;
  message: string;
  hint?: string;
  /** Reports the error to the client; shown as a link, so that no browser is redirected there unasked. */
  return_url?: string | undefined;
};

export function buildRefusalPage({ is_sandbox, message, hint, return_url }: Props): string {
  return renderPage(
    <Layout title="Not possible" width="narrow" is_sandbox={is_sandbox}>
      <h1>This log-in cannot go on</h1>
      <p>{message}</p>
      <p>{hint ?? 'The program that sent you here made a mistake. Start again from there.'}</p>
      {return_url !== undefined && (
        <p>
          <a href={return_url} rel="noreferrer">
            Go back and tell it
          </a>
        </p>
      )}
    </Layout>,
  );
}
