/**
 * Audits changes by administrators and their access to customer data: in the transaction of the change, or afterwards
 * if there is none.
 */

import type { NamedRoute } from '@waypost/contract'
import { isUuid, newOrderedId } from '@waypost/platform/ids'
import { fieldOf, JsonText, textIn } from '@waypost/platform/json/values'
import type { Queries } from '@waypost/store/engine/database'
import { type AuditRow, insertAudit } from '@waypost/store/tables/applications/audit'

export interface AuditFacts {
  actor: AuditRow['actor']
  address: string | null
  /** The id of a route. */
  action: string
  applicationId: string | null
  target: string | null
  status: number
  now: number
  /** The grant concerned, if any. */
  grantId?: string | null
  /** Default: a change. */
  kind?: AuditRow['kind']
  /** The person or service account, if the actor is one. */
  person?: { id: string; name: string } | null
}

/** Writes one audit entry. */
export const keepAudit = async (
  queries: Queries,
  { applicationId, grantId, now, person, ...facts }: AuditFacts,
): Promise<void> => {
  const ids = { id: newOrderedId(), application_id: applicationId, grant_id: grantId ?? null }
  const who = { person_id: person?.id ?? null, person_name: person?.name ?? null }
  await insertAudit(queries, { ...ids, ...who, at: now, ...facts })
}

/** The audit entry of one request. */
export interface AuditNote {
  kind: AuditRow['kind']
  /** Writes it in the transaction of the change, whose result is `value`. */
  keep(tx: Queries, value: unknown): Promise<void>
  /** Takes the created id from the result, if there was no transaction. */
  made(value: unknown): void
  /** Called when the transaction is committed. */
  retained(): void
  /** Writes it after the request, unless it was written already. */
  finish(queries: Queries, status: number): Promise<void>
}

interface Requested {
  named: NamedRoute
  params: Record<string, string>
  applicationId: string | undefined
  actor: AuditRow['actor']
  address: string
  now(): number
  /** The id of the grant in the path, once it is resolved. */
  grantId?(): string | undefined
  kind?: AuditRow['kind']
  person: AuditFacts['person']
}

/** Starts the audit entry of a request. */
export function openAudit(requested: Requested): AuditNote {
  const { named, params, applicationId, actor, address, now, person, kind = 'change' } = requested
  let isRetained = false
  let reported: AuditedChange = {}
  const write = (queries: Queries, status: number, made: AuditedChange): Promise<void> =>
    keepAudit(queries, {
      actor,
      address,
      action: named.id,
      applicationId: [applicationId, params.application_id, made.application_id].find((id) => id && isUuid(id)) ?? null,
      target: targetOf(named, params) ?? made.id ?? null,
      status,
      now: now(),
      grantId: requested.grantId?.() ?? params.grant_id?.slice(0, 200) ?? null,
      kind,
      person,
    })
  return {
    kind,
    keep: async (tx, value) => {
      if (!isRetained) await write(tx, named.route.status ?? 200, madeOf(value))
    },
    made(value) {
      reported = madeOf(value)
    },
    retained() {
      isRetained = true
    },
    finish: async (queries, status) => {
      if (!isRetained) await write(queries, status, reported)
    },
  }
}

/** What the path names last, which is the object that is changed. The id of a scheduling session is a credential. */
function targetOf(
  { resource }: NamedRoute,
  { application_id: _, ...params }: Record<string, string>,
): string | undefined {
  if (resource === 'schedulingSessions') return undefined
  return Object.values(params).at(-1)?.slice(0, 200)
}

interface AuditedChange {
  id?: string
  application_id?: string
}

/** The ids of what an answer tells of. */
function madeOf(value: unknown): AuditedChange {
  const object: unknown = value instanceof JsonText ? JSON.parse(value.text) : value
  const data = fieldOf(object, 'data')
  const made = typeof data === 'object' ? data : object
  const [id, application] = [textIn(made, 'id'), textIn(made, 'application_id')]
  return { ...(id ? { id } : {}), ...(application ? { application_id: application } : {}) }
}
