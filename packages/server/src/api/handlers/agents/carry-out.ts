/** Carries out an approved action with an internal call of its route, under an idempotency key of the approval. */
import { errors } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { CarriedAction, CarriedAnswer, CarryOut } from '../../../agents/approvals/tools.ts'
import type { Services } from '../../../services/services.ts'
import type { App } from '../../app.ts'
import { callerOfApplication, callerOfCredential } from '../../pipeline/credential-caller.ts'
import type { InternalAnswer, InternalCall } from '../../pipeline/internal-call.ts'

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
export function carriedAnswerOf({
  status,
  body,
  hasRun,
  isRepeated,
}: Pick<InternalAnswer, 'status' | 'body' | 'hasRun' | 'isRepeated'>): CarriedAnswer {
  const error: unknown = Reflect.get(body, 'error')
  const type: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'type') : undefined
  const mayPass = typeof type === 'string' && temporary.has(type)
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
const keyOf = ({ storage: { seals } }: Pick<Services, 'storage'>, { record }: CarriedAction): string =>
  `approval-${seals.hash(record.id, { table: 'approvals', column: 'id', application: record.applicationId })}`

type Work = Pick<InternalCall, 'address' | 'signal' | 'idempotencyKey'>

/** Makes a draft of a message. A person asked for it, so the rights of the credential do not matter. */
async function makeDraft(
  services: Pick<Services, 'storage'>,
  app: Pick<App, 'call'>,
  carried: CarriedAction,
  work: Work,
): Promise<CarriedAnswer> {
  const { action, record } = carried
  const id = action.params.draft_id
  // It is a draft already.
  if (id !== undefined) {
    return { status: 200, body: JSON.stringify({ data: { id } }), isTemporary: false, isUnknown: false }
  }
  const caller = await callerOfApplication(services.storage.database, record.applicationId)
  if (!caller) return refused('the application is blocked')
  const { params, json, files } = action
  const made = { ...work, id: 'drafts.create', caller, params, body: asDraft(json), files }
  return carriedAnswerOf(await app.call(made))
}

export const createCarrier =
  (services: Pick<Services, 'storage'>, app: Pick<App, 'call'>): CarryOut =>
  async (carried) => {
    const { record, action, signal } = carried
    const work: Work = { address: record.document.address, signal, idempotencyKey: keyOf(services, carried) }
    if (record.outcome?.decision === 'draft') return makeDraft(services, app, carried, work)
    const { applicationId, credential } = record
    const caller = await callerOfCredential(
      { queries: services.storage.database, clock: services.storage.clock },
      { applicationId, ...credential },
    )
    const word = credential.type === 'agent' ? 'agent was disconnected' : 'API key was revoked or has expired'
    if (!caller) return refused(`the ${word}, so nothing was done`)
    const { operation, params, query, headers, json, files, mime } = action
    const answer = await app.call({
      ...{
        ...work,
        id: operation,
        caller,
        params,
        query,
        headers,
        files,
        approved: { snapshot: record.document.snapshot, shown: record.document.shown },
      },
      ...(mime ? { mime } : { body: json }),
    })
    return carriedAnswerOf(answer)
  }
