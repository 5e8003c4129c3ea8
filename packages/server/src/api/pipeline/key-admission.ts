/**
 * The rights of restricted API keys and agents, enforced in one place for every route: the network, the operation and the
 * grant at admission, and what a request sends, deletes or invites once its body is parsed.
 */

import type { KeyOperation } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { PreparedApproval } from '../../agents/actions/effects-gate.ts'
import {
  type Credential,
  hasOperation,
  isInNetworks,
  judgeOperation,
  operationOfFields,
} from '../../applications/key-rights.ts'
import type { WireAnswer } from '../http/answer.ts'
import type { ApiServices } from './api-services.ts'
import type { RequestContext } from './request-context.ts'

/** Checks the network and the operation of a request, before anything else is read. */
export function admitCredential({ served, address, approved }: RequestContext, credential: Credential): void {
  // The network was checked when the action was asked for; the person who approved it may be elsewhere.
  if (!approved && !isInNetworks(credential.rights, address)) {
    throw new ApiError('network_not_allowed', `this ${wordFor(credential)} may not be used from ${address}`)
  }
  const judgement = judgeOperation(credential, served.named)
  if (!judgement.allowed) throw missingRight(credential, judgement.missing)
}

const wordFor = ({ type }: Credential): string => (type === 'agent' ? 'agent' : 'API key')

/** The refusal that names the operations of which one is missing. Without any, no right would help. */
export function missingRight(credential: Credential, missing: readonly KeyOperation[]): ApiError {
  const word = wordFor(credential)
  if (missing.length === 0) return new ApiError('missing_right', 'this route needs an API key with all rights')
  const isTooNarrow = missing.some((operation) => credential.rights.operations.includes(operation))
  const why = isTooNarrow ? 'and access to all grants' : ''
  return new ApiError('missing_right', `this ${word} needs the right ${missing.join(' or ')} ${why}`.trim(), {
    validationErrors: { rights: `needs ${missing.join(' or ')} ${why}`.trim() },
  })
}

/** `isStored`: it was stored under the Idempotency-Key, in the transaction of the approval. */
type HeldAnswer = WireAnswer & { isStored?: boolean }

/** Checks a parsed request of a restricted credential. Returns an answer if the handler must not run. */
export async function admitParsed(
  api: ApiServices,
  context: RequestContext,
  credential: Credential,
): Promise<HeldAnswer | undefined> {
  const { named } = context.served
  const needed = operationOfFields(named, context.query)
  if (needed && !hasOperation(credential, needed)) throw missingRight(credential, [needed])
  const { onlyAs, held } = await api.effectsGate(context, credential)
  context.onlyAs = onlyAs
  return held && answerHeld(api, context, held)
}

/** Stores an approval, and answers with it. With an Idempotency-Key, the answer is stored in the same transaction. */
async function answerHeld(
  { storage: { database } }: ApiServices,
  { requestId, attempt }: RequestContext,
  { approval, keep }: PreparedApproval,
): Promise<HeldAnswer> {
  const object = { request_id: requestId, data: approval }
  const answer: WireAnswer = { status: 202, headers: {}, body: JSON.stringify(object), object }
  await database.transaction(async (tx) => {
    await keep(tx)
    await attempt?.complete(tx, answer)
  })
  return { ...answer, isStored: attempt !== undefined }
}
