/** What is written down of who changes something: with the change, where it has a transaction, or else after it. */
import type { NamedRoute } from '@waypost/contract'
import { isUuid, newOrderedId } from '../lib/ids.ts'
import { JsonText } from '../lib/json-text.ts'
import { type AuditRow, insertAudit } from '../store/audit.ts'
import type { Queries } from '../store/database.ts'

export interface AuditFacts {
  actor: AuditRow['actor']
  address: string | null
  /** The id of a route. */
  action: string
  applicationId: string | null
  target: string | null
  status: number
  now: number
}

/** Writes down one change, or attempt. */
export const keepAudit = async (queries: Queries, { applicationId, now, ...facts }: AuditFacts): Promise<void> =>
  void (await insertAudit(queries, { id: newOrderedId(), at: now, application_id: applicationId, ...facts }))

/** The entry of one request. */
export interface AuditNote {
  /** Writes it in the transaction of the change, which answers with `value`. */
  keep(tx: Queries, value: unknown): Promise<void>
  /** Learns what was made from the answer, where there was no transaction. */
  made(value: unknown): void
  /** Says that the transaction is through. */
  kept(): void
  /** Writes it after the request, unless it stands there already. */
  finish(queries: Queries, status: number): Promise<void>
}

interface Requested {
  named: NamedRoute
  params: Record<string, string>
  applicationId: string | undefined
  actor: AuditRow['actor']
  address: string
  now(): number
}

/** Begins the entry of a request. */
export function openAudit({ named, params, applicationId, actor, address, now }: Requested): AuditNote {
  let isKept = false
  let told: Made = {}
  const write = (queries: Queries, status: number, made: Made): Promise<void> =>
    keepAudit(queries, {
      actor,
      address,
      action: named.id,
      applicationId: [applicationId, params.application_id, made.application_id].find((id) => id && isUuid(id)) ?? null,
      target: targetOf(params) ?? made.id ?? null,
      status,
      now: now(),
    })
  return {
    keep: async (tx, value) => {
      if (!isKept) await write(tx, named.route.status ?? 200, madeOf(value))
    },
    made(value) {
      told = madeOf(value)
    },
    kept() {
      isKept = true
    },
    finish: async (queries, status) => {
      if (!isKept) await write(queries, status, told)
    },
  }
}

/** What the path names last, which is the object that is changed. */
function targetOf({ application_id: _, ...params }: Record<string, string>): string | undefined {
  return Object.values(params).at(-1)?.slice(0, 200)
}

interface Made {
  id?: string
  application_id?: string
}

/** The ids of what an answer tells of. */
function madeOf(value: unknown): Made {
  const object: unknown = value instanceof JsonText ? JSON.parse(value.text) : value
  if (typeof object !== 'object' || object === null) return {}
  const data: unknown = 'data' in object && typeof object.data === 'object' ? object.data : object
  const text = (name: string): string | undefined => {
    const field: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined
    return typeof field === 'string' ? field : undefined
  }
  const [id, application] = [text('id'), text('application_id')]
  return { ...(id ? { id } : {}), ...(application ? { application_id: application } : {}) }
}
