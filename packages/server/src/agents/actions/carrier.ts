/** Carries out an approved action with an internal call of its route, under an idempotency key of the approval. */
import { errors } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { JsonValue } from '@waypost/platform/json/guard'
import { textIn } from '@waypost/platform/json/values'
import type { Queries } from '@waypost/store/engine/database'
import type { CarriedAction, CarriedAnswer, CarryOut } from '../approvals/tools.ts'
import { callerOfApplication, callerOfCredential } from '../credential-caller.ts'
import type { CallRoute, RouteAnswer, RouteCall } from './call-route.ts'

export interface CarrierTools {
  database: Queries
  seals: DataSeals
  clock: Clock
}

const refused = (message: string): CarriedAnswer => ({
  status: 403,
  body: JSON.stringify({ error: { type: 'api.missing_right', message } }),
  isTemporary: false,
  isUnknown: false,
})

const temporary: ReadonlySet<string> = new Set(
  Object.values(errors).flatMap(({ type, temporary: isTemporary }) => (isTemporary ? [type] : [])),
)

/** With these answers, nothing was done. */
const withoutEffect: ReadonlySet<number> = new Set([429, 503])

/** What an answer says about the action. Every other temporary answer leaves open whether it happened. */
export function carriedAnswerOf({ status, body, hasRun, isRepeated }: RouteAnswer): CarriedAnswer {
  const mayPass = temporary.has(textIn(body.error, 'type') ?? '')
  const isTemporary = status >= 500 || status === 408 || status === 429 || (status >= 400 && mayPass)
  const mayHaveActed = isRepeated || (hasRun && !withoutEffect.has(status))
  return { status, body: JSON.stringify(body), isTemporary, isUnknown: isTemporary && mayHaveActed }
}

/** The fields of a message that a draft does not have. */
const onlySent = ['send_at', 'use_draft']

/** The body of a message as that of a draft. */
const asDraft = (json: JsonValue): JsonValue =>
  Object.fromEntries(Object.entries(json ?? {}).filter(([name]) => !onlySent.includes(name)))

/** Nobody else knows these keys, so no client can claim one before. */
const keyOf = (seals: DataSeals, { record }: CarriedAction): string =>
  `approval-${seals.hash(record.id, { table: 'approvals', column: 'id', application: record.applicationId })}`

type Work = Pick<RouteCall, 'address' | 'signal' | 'idempotencyKey'>

/** Makes a draft of a message. A person asked for it, so the rights of the credential do not matter. */
async function makeDraft(
  tools: CarrierTools,
  call: CallRoute,
  carried: CarriedAction,
  work: Work,
): Promise<CarriedAnswer> {
  const { action, record } = carried
  const id = action.params.draft_id
  // It is a draft already.
  if (id !== undefined) {
    return { status: 200, body: JSON.stringify({ data: { id } }), isTemporary: false, isUnknown: false }
  }
  const caller = await callerOfApplication(tools.database, record.applicationId)
  if (!caller) return refused('the application is blocked')
  const { params, json, files } = action
  const made = { ...work, id: 'drafts.create', caller, params, body: asDraft(json), files }
  return carriedAnswerOf(await call(made))
}

export const createCarrier =
  (tools: CarrierTools, call: CallRoute): CarryOut =>
  async (carried) => {
    const { record, action, signal } = carried
    const work: Work = { address: record.document.address, signal, idempotencyKey: keyOf(tools.seals, carried) }
    if (record.outcome?.decision === 'draft') return makeDraft(tools, call, carried, work)
    const { applicationId, credential } = record
    const caller = await callerOfCredential(
      { queries: tools.database, clock: tools.clock },
      { applicationId, ...credential },
    )
    const word = credential.type === 'agent' ? 'agent was disconnected' : 'API key was revoked or has expired'
    if (!caller) return refused(`the ${word}, so nothing was done`)
    const { operation, params, query, headers, json, files, mime } = action
    const answer = await call({
      ...work,
      id: operation,
      caller,
      params,
      query,
      headers,
      files,
      approved: { snapshot: record.document.snapshot, shown: record.document.shown },
      ...(mime ? { mime } : { body: json }),
    })
    return carriedAnswerOf(answer)
  }
