/**
 * Pages of the log of attempts. Filters without an index (trigger, grant) are applied in bounded steps that yield in
 * between. If a step finds too few, the result says where to continue.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Database } from '@waypost/store/engine/database'
import {
  type AttemptFilter,
  type AttemptHead,
  type AttemptPosition,
  attemptsOf,
  type ListedAttempt,
  listAttempts,
  scanAttempts,
} from '@waypost/store/tables/notifications/attempt-log'

interface DestinationAddress {
  applicationId: string
  webhookId: string
}

export interface AttemptQuestion {
  filter: AttemptFilter & { types?: readonly string[] | undefined; grantId?: string | undefined }
  after: AttemptPosition | undefined
  limit: number
}

export interface AttemptsFound {
  rows: readonly ListedAttempt[]
  /** Where to continue. Undefined at the end. */
  next: AttemptPosition | undefined
}

const stepRows = 1_000
const maxSteps = 10

const placeOf = ({ at, notification, attempt }: AttemptHead): AttemptPosition => [at, notification, attempt]

export async function readAttempts(
  database: Database,
  of: DestinationAddress,
  question: AttemptQuestion,
): Promise<AttemptsFound> {
  const { types, grantId, ...filter } = question.filter
  const { after, limit } = question
  if (types === undefined && grantId === undefined) {
    const rows = await listAttempts(database, of, { filter, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return { rows: page, next: rows.length > page.length && last ? placeOf(last) : undefined }
  }
  const wants = (head: AttemptHead): boolean =>
    (types === undefined || types.includes(head.type ?? '')) && (grantId ?? head.grant_id) === head.grant_id
  const found: AttemptHead[] = []
  let from = after
  for (let step = 0; step < maxSteps; step++) {
    if (step > 0) await pause()
    const heads = await scanAttempts(database, of, { filter, after: from, limit: stepRows })
    for (const head of heads) {
      from = placeOf(head)
      if (wants(head)) found.push(head)
      if (found.length === limit) return { rows: await whole(database, of, found), next: from }
    }
    if (heads.length < stepRows) return { rows: await whole(database, of, found), next: undefined }
  }
  return { rows: await whole(database, of, found), next: from }
}

async function whole(
  database: Database,
  of: DestinationAddress,
  heads: readonly AttemptHead[],
): Promise<ListedAttempt[]> {
  const keyOf = ({ notification, attempt }: { notification: number; attempt: number }): string =>
    `${notification} ${attempt}`
  const rows = await attemptsOf(database, of, [...new Set(heads.map(({ notification }) => notification))])
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return heads.flatMap((head) => byKey.get(keyOf(head)) ?? [])
}
