/**
 * The states of a message on its way out, as pure functions.
 *
 *     accepted ─┐            ┌──(refused for now)── back to where it was ready, or failed
 *               ├─▶ claimed ─┴─▶ transmitting ─▶ sent
 *    scheduled ─┘                     │     └──▶ failed
 *        │                            └──▶ unknown ─▶ sent | failed (or ready again, where the operator wants it so)
 *        └─▶ cancelled
 *
 * A node that dies while it has claimed a message has sent nothing: another one takes it. From `transmitting` on nobody
 * knows (RFC 1047): the message is never sent again by itself, but looked for in the account's sent mail.
 */
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

/** Where a message waits to be sent: in the request that asked for it, or for its time. */
export type ReadyState = 'accepted' | 'scheduled'

export const sendTriggers = [
  /** A node takes it, from nobody or from a dead one. */
  'claim',
  /** The next bytes may make the provider take it. */
  'begin',
  /** The provider took it. */
  'take',
  /** The provider refused it for good, or it is too late for another try. */
  'refuse',
  /** The provider refused it for now, or could not be reached. */
  'postpone',
  /** The connection broke, or the node died, where the provider may have taken it. */
  'lose',
  /** It was found in the sent mail. */
  'find',
  /** It was not found for so long that it is told as failed. */
  'give_up',
  /** It was not found for so long that it is sent again: only where the operator chose so. */
  'resend',
  /** Its sender does not want it any more. */
  'cancel',
] as const
export type SendTrigger = (typeof sendTriggers)[number]

type Step = SendState | 'ready'

const table: Record<SendState, Partial<Record<SendTrigger, Step>>> = {
  accepted: { claim: 'claimed', refuse: 'failed' },
  scheduled: { claim: 'claimed', refuse: 'failed', cancel: 'cancelled' },
  claimed: { claim: 'claimed', begin: 'transmitting', refuse: 'failed', postpone: 'ready' },
  transmitting: { take: 'sent', refuse: 'failed', postpone: 'ready', lose: 'unknown' },
  // Who was taken for dead may still tell how it ended.
  unknown: { take: 'sent', refuse: 'failed', find: 'sent', give_up: 'failed', resend: 'ready' },
  sent: {},
  failed: {},
  cancelled: {},
}

/** The state after a trigger, or undefined where the trigger has no place. */
export function nextState(state: SendState, trigger: SendTrigger, ready: ReadyState): SendState | undefined {
  const step = table[state][trigger]
  return step === 'ready' ? ready : step
}

/** The states that a trigger can come in. */
export const statesBefore = (trigger: SendTrigger): readonly SendState[] =>
  sendStates.filter((state) => table[state][trigger] !== undefined)

/** How an attempt ended, if not well. */
export interface Failure {
  /** The same message would be refused again. */
  permanent: boolean
  /** The provider may have taken it. */
  maybeSent: boolean
}

const hour = 3_600_000
/** A scheduled message is not sent later than this after its time. */
export const maxLateMs = hour
/** Nobody waits for a mail about an event, and its guests want it even late. */
export const maxQueuedLateMs = 24 * hour

/** 30 s, doubled each time up to 10 min. */
export const retryDelay = (tries: number): number => Math.min(30_000 * 2 ** (Math.max(tries, 1) - 1), 600_000)

export type Verdict = { trigger: 'lose' | 'refuse' } | { trigger: 'postpone'; at: number }

/** Until when a message is tried: where somebody waits for the answer, they decide about another try. */
export interface Patience {
  isAwaited: boolean
  dueAt: number
  lateMs: number
}

/** What follows from a failed attempt. */
export function verdictOf(
  { permanent, maybeSent }: Failure,
  { isAwaited, dueAt, lateMs, tries, now }: Patience & { tries: number; now: number },
): Verdict {
  if (maybeSent) return { trigger: 'lose' }
  const at = now + retryDelay(tries)
  if (permanent || isAwaited || at > dueAt + lateMs) return { trigger: 'refuse' }
  return { trigger: 'postpone', at }
}

/** Whether a message waited too long to be sent still, such as through an outage. */
export const isTooLate = ({ dueAt, lateMs }: Patience, now: number): boolean => now > dueAt + lateMs
