/**
 * The history of grants: created, authenticated, expired or blocked, and why. Written in the transaction of the
 * change.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'

export type GrantEventKind = 'created' | 'authenticated' | 'changed' | 'expired' | 'blocked' | 'unblocked'

/** Why a grant lost its access. */
export type ExpiryReason = 'credentials_refused' | 'revoked' | 'connector_deleted' | 'credential_deleted'

const events = table('grant_events', {
  id: text,
  application_id: text,
  grant_id: text,
  at: number,
  kind: word<GrantEventKind>(),
  reason: nullable(word<ExpiryReason>()),
  sealed_message: nullable(text),
  request_id: nullable(text),
})
type StoredEvent = RowOf<typeof events>

/** Encrypted, because the message of a provider that rejects an account may contain its address. */
export const eventMessageContext = sealedColumn('grant_events', 'sealed_message')

const insert = events.insert()
export const addGrantEvent = (tx: Queries, event: StoredEvent): Promise<void> => tx.post(...insert(event))

export interface GrantEventRow extends Omit<StoredEvent, 'application_id' | 'sealed_message'> {
  message: string | null
}
/** An event with the current grant. */
export interface ListedEvent extends GrantEventRow {
  provider: string
  status: string
  /** The grant as JSON. */
  document: string
}
type SealedEvent<T> = Omit<T, 'message'> & { sealed_message: string | null }

const columns = 'e.id, e.grant_id, e.at, e.kind, e.reason, e.request_id, e.sealed_message'
const ofGrant = sql<SealedEvent<GrantEventRow>>('grant_events.ofGrant')`select ${columns} from grant_events e
   where e.application_id = $1 and e.grant_id = $2 and (e.at, e.id) < ($3, $4) order by e.at desc, e.id desc limit $5`
const lastExpiry = sql<SealedEvent<GrantEventRow>>('grant_events.lastExpiry')`select ${columns} from grant_events e
   where e.application_id = $1 and e.grant_id = $2 and e.kind = 'expired' order by e.at desc, e.id desc limit 1`
const withGrant = `select ${columns}, g.provider, g.status, g.document
   from grant_events e join grants g on g.id = e.grant_id and g.application_id = e.application_id where e.application_id = $1`
const newest = sql<SealedEvent<ListedEvent>>('grant_events.newest')`${withGrant} order by e.at desc, e.id desc limit $2`
const expired = sql<SealedEvent<ListedEvent>>('grant_events.expired')`${withGrant} and e.kind = 'expired' and e.at >= $2
   order by e.at desc, e.id desc limit $3`

async function opened<T extends GrantEventRow>(
  rows: readonly SealedEvent<T>[],
  applicationId: string,
  seals: DataSeals,
): Promise<T[]> {
  await seals.learn(rows.flatMap(({ sealed_message }) => sealed_message ?? []))
  return rows.map(({ sealed_message, ...row }) => {
    const context = eventMessageContext(applicationId, row.grant_id)
    const message = sealed_message === null ? null : (seals.openOrLog(sealed_message, context) ?? null)
    return { ...row, message } as unknown as T
  })
}

/** Events of one grant before a position, newest first. */
export const eventsOfGrant = async (
  queries: Queries,
  of: { applicationId: string; grantId: string },
  page: { before: readonly [at: number, id: string]; limit: number },
  seals: DataSeals,
): Promise<GrantEventRow[]> =>
  opened(
    await queries.all(ofGrant, [of.applicationId, of.grantId, ...page.before, page.limit]),
    of.applicationId,
    seals,
  )

/** The last time that a grant lost its access; undefined if it never did, or if that was long ago. */
export const lastExpiryOf = async (
  queries: Queries,
  of: { applicationId: string; grantId: string },
  seals: DataSeals,
): Promise<GrantEventRow | undefined> =>
  (await opened(await queries.all(lastExpiry, [of.applicationId, of.grantId]), of.applicationId, seals))[0]

/** The newest events of all grants of an application. */
export const newestEvents = async (
  queries: Queries,
  applicationId: string,
  limit: number,
  seals: DataSeals,
): Promise<ListedEvent[]> => opened(await queries.all(newest, [applicationId, limit]), applicationId, seals)

/** The grants of an application that lost access since a time, newest first. */
export const expiredSince = async (
  queries: Queries,
  applicationId: string,
  { since, limit }: { since: number; limit: number },
  seals: DataSeals,
): Promise<ListedEvent[]> => opened(await queries.all(expired, [applicationId, since, limit]), applicationId, seals)

/** Keeps the creation of a grant. */
export const purgeGrantEvents = events.purge('id, application_id', 'at', `and kind <> 'created'`)
