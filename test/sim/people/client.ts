import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { operations } from '../../../tools/index.js';
import type { Outcome } from '../../../src/core/operations/invoke.js';
import { listErrors } from '../../../src/core/operations/operation.js';
import type { Call } from '../../../src/core/operations/call.js';
import { createRunning } from '../../../src/transports/mcp/methods.js';
import type { Face } from '../plan.js';
import type { Life } from '../world/machine.js';

/** The ways a person can decline a fee, all equally valid. Undefined agrees. */
export type No = 'decline' | 'cancel' | 'unticked';

export type Answer = { ok: true; output: unknown } | { ok: false; code: string; message: string };

const CREDENTIALS = { rest: 'key', mcp_http: 'token', mcp_stdio: 'local' } as const;

/** A file of its people. */
export type OwnFile = { name: string; bytes: Buffer };

type Calling = { face: Face; key?: string | undefined; no?: No | undefined; upload?: OwnFile | undefined };

/** One call over a transport: over REST through the gate, over MCP through tools/call. Never rejects. */
export async function callOperation(
  life: Pick<Life, 'app' | 'account_id'>,
  id: string,
  input: Record<string, unknown>,
  { upload, ...calling }: Calling,
): Promise<Answer> {
  if (!upload) return call(life, id, input, calling);
  const { uploads } = life.app.service;
  const file = await uploads.receive(Readable.from([upload.bytes]), upload.name);
  try {
    return await call(life, id, input, { ...calling, file });
  } finally {
    await uploads.discard(file);
  }
}

async function call(
  { app, account_id }: Pick<Life, 'app' | 'account_id'>,
  id: string,
  input: Record<string, unknown>,
  { face, key, no, file }: Omit<Calling, 'upload'> & { file?: Call['file'] },
): Promise<Answer> {
  const caller = { account_id, credential: CREDENTIALS[face], credential_id: face } as const;
  if (face !== 'rest') {
    const value = key === undefined ? input : { ...input, idempotency_key: key };
    return callTool(app, id, value, { caller, face, no });
  }
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  const outcome: Outcome = await app.service.invoke(
    operation,
    { value: input },
    { caller, face, idempotency_key: key, ...(file && { file }) },
  );
  if (outcome.ok) {
    const { output, file: answered } = outcome;
    return { ok: true, output: answered ? { ...(output as object), bytes: answered.bytes } : output };
  }
  const { code, message } = outcome.error.error;
  if (!listErrors(operation).includes(code)) throw new Error(`${id} does not declare ${code}`);
  return { ok: false, code, message };
}

async function callTool(
  app: Life['app'],
  name: string,
  input: Record<string, unknown>,
  { caller, face, no }: Pick<Call, 'caller'> & { face: 'mcp_http' | 'mcp_stdio'; no: No | undefined },
): Promise<Answer> {
  // An assistant on this computer can ask its person, who agrees or not; others confirm with a second call.
  const canAsk = face === 'mcp_stdio';
  const result = await createRunning(app.service)['tools/call'](
    { name, arguments: input },
    {
      caller,
      face,
      signal: new AbortController().signal,
      client_capabilities: canAsk ? { elicitation: {} } : {},
      notify: () => undefined,
      client_name: 'sim',
      ask: () =>
        Promise.resolve({
          value:
            no === 'decline' || no === 'cancel'
              ? { action: no }
              : { action: 'accept', content: { confirm: no === undefined } },
          after_ms: 10_000,
        }),
    },
  );
  const { content, isError, structuredContent } = CallToolResultSchema.parse(result);
  if (isError !== true) return { ok: true, output: structuredContent ?? {} };
  const text = content[0]?.type === 'text' ? content[0].text : '';
  const { error } = JSON.parse(text) as { error: { code: string; message: string } };
  return { ok: false, code: error.code, message: error.message };
}

/** Uploads over REST, as a person would. Returns the service-upload:// address. */
export async function uploadFile(
  life: Pick<Life, 'app' | 'account_id'>,
  type: 'image' | 'video' | 'digital',
  upload: OwnFile,
): Promise<Uploaded> {
  const { name, bytes } = upload;
  const answer = await callOperation(life, 'file_upload', { type }, { face: 'rest', upload });
  if (!answer.ok) throw new Error(answer.message);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { url: (answer.output as { url: string }).url, name, sha256 };
}

export type Uploaded = { url: string; name: string; sha256: string };
