/**
 * Carries approved actions out and writes their outcome. The request that approved an action does this at once. A job does
 * it if that process ended in between. The internal call is made under an idempotency key of the approval, so both together
 * carry the action out once.
 */
import type { Queries } from '@waypost/store/engine/database'
import { keepPart, readPart, removePart, sealPart } from '@waypost/store/tables/agents/approval-parts'
import { settleApproval } from '@waypost/store/tables/agents/approvals'
import { takeOutbox } from '@waypost/store/tables/notifications/outbox'
import { type ApprovalOutcome, type ApprovalRecord, notifyOfApproval, sealOutcome } from './approval-record.ts'
import { settledStatus } from './states.ts'
import { decodeRequest } from './stored-request.ts'
import { type ApprovalTools, type CarriedAnswer, type CarryOut, executeJob, expireJob, jobIdOf } from './tools.ts'

/** Temporary failures without effect are retried for so long after the decision. */
const retryMs = 15 * 60_000
/**
 * A provider that may have carried the action out is asked again for so long. With the pause before the last attempt, a
 * person knows within a minute that the outcome is unknown.
 */
const unknownMs = 40_000
/** Idempotency keys are stored for a day. After this time, nobody knows whether an interrupted action happened. */
const knownMs = 20 * 3_600_000

const outcomeUnknown =
  'It is unknown whether the action was carried out, because the provider did not confirm it: check the account before you ask again'

/** Removes what a settled approval no longer needs: its request and its jobs. */
export async function clearAway(tx: Queries, record: ApprovalRecord): Promise<void> {
  await removePart(tx, record, 'request')
  for (const kind of [executeJob, expireJob] as const) {
    await takeOutbox(tx, { applicationId: record.applicationId, id: jobIdOf(record, kind) })
  }
}

/** The ids in a response, for lists and notifications. */
function idsIn(body: unknown): Record<string, string> {
  const data: unknown = typeof body === 'object' && body !== null ? (Reflect.get(body, 'data') ?? body) : undefined
  if (typeof data !== 'object' || data === null) return {}
  const names = ['id', 'thread_id', 'schedule_id', 'calendar_id', 'booking_id', 'event_id']
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value: unknown = Reflect.get(data, name)
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}

const messageIn = (body: unknown): string => {
  const error: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : undefined
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined
  return typeof message === 'string' ? message : 'the action was refused'
}

const draftIdIn = (body: unknown): string | null => idsIn(body).id ?? null

/** Writes the outcome of an action. False if another process has written it. */
async function settle(
  tools: ApprovalTools,
  record: ApprovalRecord,
  { answer, reason }: { answer: CarriedAnswer | undefined; reason: string | null },
): Promise<boolean> {
  const { database, seals, clock } = tools
  if (!record.outcome) throw new Error('the approval is not decided')
  const body: unknown = answer === undefined ? undefined : JSON.parse(answer.body)
  const isDone = answer !== undefined && answer.status < 400 && reason === null
  const { decision } = record.outcome
  const isDraft = decision === 'draft'
  const outcome: ApprovalOutcome = {
    ...record.outcome,
    reason,
    draftId: isDraft && isDone ? draftIdIn(body) : null,
    result: answer === undefined || isDraft ? null : { status: answer.status, ids: isDone ? idsIn(body) : {} },
  }
  const status = settledStatus(decision, isDone)
  const pieces = outcome.result && answer ? await sealPart(seals, record, 'result', Buffer.from(answer.body)) : []
  const isMine = await database.transaction(async (tx) => {
    const to = { status, sealedOutcome: sealOutcome(seals, record, outcome), now: clock.now() }
    if (!(await settleApproval(tx, record, to))) return false
    await keepPart(tx, record, 'result', pieces)
    await clearAway(tx, record)
    await notifyOfApproval(tx, tools, { ...record, status, outcome })
    return true
  })
  if (isMine) tools.settled?.(status)
  return isMine
}

/** Carries an approved action out, and writes its outcome. */
export async function executeAction(
  tools: ApprovalTools,
  call: CarryOut,
  { record, signal }: { record: ApprovalRecord; signal: AbortSignal },
): Promise<'settled' | 'later'> {
  const age = tools.clock.now() - (record.decidedAt ?? 0)
  const stored = await readPart(tools.database, tools.seals, record, 'request')
  // The request is removed with the outcome: another process was faster.
  if (!stored) return 'settled'
  if (age > knownMs) {
    const reason =
      'The service was interrupted, and it is unknown whether the action was carried out: check the account.'
    await settle(tools, record, { answer: undefined, reason })
    return 'settled'
  }
  const answer = await call({ record, action: decodeRequest(stored), signal })
  await tools.failpoint?.('carried out')
  if (answer.isTemporary && age < (answer.isUnknown ? unknownMs : retryMs)) {
    tools.log.warn({ approval_id: record.id, status: answer.status }, 'an approved action could not be carried out yet')
    return 'later'
  }
  const problem = answer.status < 400 ? null : messageIn(JSON.parse(answer.body))
  const reason = answer.isUnknown ? `${outcomeUnknown} (${problem})` : problem
  await settle(tools, record, { answer, reason })
  await tools.failpoint?.('settled')
  return 'settled'
}
