/**
 * The states of an outgoing message, as pure functions.
 *
 *     accepted ─┐            ┌──(refused for now)── back to its ready state, or failed
 *               ├─▶ claimed ─┴─▶ transmitting ─▶ sent
 *    scheduled ─┘                     │     └──▶ failed
 *        │                            └──▶ unknown ─▶ sent | failed (or ready again, if the operator chose so)
 *        └─▶ cancelled
 *
 * A node that dies in `claimed` has sent nothing, and another node takes over. From `transmitting` on the outcome is
 * unknown (RFC 1047): the message is never sent again automatically but searched for in the sent folder.
 */
import { ApiError } from '@waypost/platform/api-error'

export const sendStates = [
  'accepted',
  'scheduled',
  'claimed',
  'transmitting',
  'unknown',
  'sent',
  'failed',
  'cancelled',
] as const
export type SendState = (typeof sendStates)[number]

/** Where a message waits: for the request that brings it, or for its time. */
export type ReadyState = 'accepted' | 'scheduled'

export const sendTriggers = [
  /** A node takes it, either unowned or from a dead node. */
  'claim',
  /** The next bytes may make the provider accept it. */
  'begin',
  /** The provider accepted it. */
  'take',
  /** The provider refused it permanently, or it is too late for another try. */
  'refuse',
  /** The provider refused it temporarily, or was unreachable. */
  'postpone',
  /** The connection broke, or the node died, after the provider may have accepted it. */
  'lose',
  /** It was found in the sent folder. */
  'find',
  /** It was not found in time and is reported as failed. */
  'give_up',
  /** It was not found in time and is sent again, if the operator chose so. */
  'resend',
  /** Its sender canceled it. */
  'cancel',
] as const
export type SendTrigger = (typeof sendTriggers)[number]

type Step = SendState | 'ready'

const table: Record<SendState, Partial<Record<SendTrigger, Step>>> = {
  accepted: { claim: 'claimed', refuse: 'failed' },
  scheduled: { claim: 'claimed', refuse: 'failed', cancel: 'cancelled' },
  claimed: { claim: 'claimed', begin: 'transmitting', refuse: 'failed', postpone: 'ready' },
  transmitting: { take: 'sent', refuse: 'failed', postpone: 'ready', lose: 'unknown' },
  // A node that was considered dead may still report the outcome.
  unknown: { take: 'sent', refuse: 'failed', find: 'sent', give_up: 'failed', resend: 'ready' },
  sent: {},
  failed: {},
  cancelled: {},
}

/** The state after a trigger; undefined if the trigger is not allowed. */
export function nextState(state: SendState, trigger: SendTrigger, ready: ReadyState): SendState | undefined {
  const step = table[state][trigger]
  return step === 'ready' ? ready : step
}

/** The states in which a trigger is allowed. */
export const statesBefore = (trigger: SendTrigger): readonly SendState[] =>
  sendStates.filter((state) => table[state][trigger] !== undefined)

/** The failure of an attempt. */
interface Failure {
  /** The same message would be refused again. */
  permanent: boolean
  /** The provider may have accepted it. */
  maybeSent: boolean
}

const hour = 3_600_000
/** A scheduled message is not sent later than this after its time. */
export const maxLateMs = hour
/** No request waits for a mail about an event, and guests want it even late. */
export const maxQueuedLateMs = 24 * hour

/** 30 s, doubled each time up to 10 min. */
export const retryDelay = (tries: number): number => Math.min(30_000 * 2 ** (Math.max(tries, 1) - 1), 600_000)

type Verdict = { trigger: 'lose' | 'refuse' } | { trigger: 'postpone'; at: number }

/** How long a message is retried. If a request waits for the outcome, its client decides about a retry. */
export interface Patience {
  isAwaited: boolean
  dueAt: number
  lateMs: number
}

/** The trigger that follows from a failed attempt. */
export function verdictOf(
  { permanent, maybeSent }: Failure,
  { isAwaited, dueAt, lateMs, tries, now }: Patience & { tries: number; now: number },
): Verdict {
  if (maybeSent) return { trigger: 'lose' }
  const at = now + retryDelay(tries)
  if (permanent || isAwaited || at > dueAt + lateMs) return { trigger: 'refuse' }
  return { trigger: 'postpone', at }
}

/** Whether a message is too late to be sent, for example after an outage. */
export const isTooLate = ({ dueAt, lateMs }: Patience, now: number): boolean => now > dueAt + lateMs

/** The error of a failed message in the store. */
export const storedError = ({ code, message, details }: ApiError): string =>
  JSON.stringify({ code, message, providerError: details.providerError, retryAfter: details.retryAfter })

export function errorOf({ error }: { error: string | null }): ApiError {
  const { code, message, ...details } = JSON.parse(error ?? '{"code":"send_failed"}')
  return new ApiError(code, message, details)
}
