import { createHash } from 'node:crypto';
import type { Core } from '../src/core/core.js';
import type { GrantScope } from '../src/core/ports/index.js';

/** Registers an assistant, allows it as a person would, and exchanges the code for tokens. */
export async function letIn(
  { grants }: Pick<Core, 'grants'>,
  account_id: string,
  client_name: string,
  scope: GrantScope = 'read write',
  key_id: string | null = null,
): Promise<{ grant_id: string; access_token: string }> {
  const redirect_uri = 'https://assistant.example/cb';
  const code_verifier = 'v'.repeat(43);
  const client = await grants.register({ client_name, redirect_uris: [redirect_uri] });
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const code = await grants.allow(
    account_id,
    { client, redirect_uri, code_challenge, state: undefined, scope },
    key_id,
  );
  const { client_id } = client;
  const { access_token } = await grants.exchangeCode({ client_id, code, code_verifier, redirect_uri });
  const own = await grants.list(account_id);
  const grant_id = own.find((grant) => grant.client_name === client_name)?.grant_id ?? '';
  return { grant_id, access_token };
}
