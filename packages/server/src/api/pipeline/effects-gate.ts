import type { Credential } from '../../applications/key-rights.ts'
import type { WireAnswer } from '../http/answer.ts'
import type { RequestContext } from './request-context.ts'

/**
 * What restricted keys and agents must pass once their request is parsed: recipients, messages per hour and the approval of
 * a person. Returns the answer of a request that waits for approval; its handler does not run then.
 */
export type EffectsGate = (context: RequestContext, credential: Credential) => Promise<HeldAnswer | undefined>

/** `isStored`: it was stored under the Idempotency-Key, in the transaction of the approval. */
export type HeldAnswer = WireAnswer & { isStored?: boolean }
