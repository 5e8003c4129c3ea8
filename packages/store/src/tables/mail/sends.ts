/**
 * Outgoing messages. The `owner` is the node that works on a row, as long as its heartbeat continues (`nodes`).
 * `attempt` identifies the claim under which the message is being sent. Every step checks it, so that a former owner
 * cannot change the row any more.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type Distributable, dynamic, type Queries, type Statement, sql, type Value } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'
import { openSends, type SendContent, sealSendContent, sealSendError } from '../../sealing/sealed-sends.ts'
import { nodeLeaseMs } from '../applications/nodes.ts'

const listed = {
  id: text,
  application_id: text,
  grant_id: text,
  state: text,
  message_id: text,
  schedule_id: nullable(text),
  due_at: number,
  next_at: nullable(number),
  owner: nullable(text),
  attempt: nullable(text),
  tries: number,
  began_at: nullable(number),
  /** The copy in the Sent folder: `none` (not wanted), `pending`, `done` or `given_up`. */
  filing: text,
  filing_tries: number,
  created_at: number,
  closed_at: nullable(number),
} as const
/** An outgoing message without the fields that only notifications need. */
const sendsListed = table('sends', listed)
export type SendRow = RowOf<typeof sendsListed>
export const sendColumns = sendsListed.columns

const sends = table('sends', {
  ...listed,
  /** The id of the message in the API. */
  provider_id: nullable(text),
  /** The hash of the request that used an Idempotency-Key. */
  request_hash: nullable(text),
  sealed_content: text,
  sealed_error: nullable(text),
})
type StoredSendRow = RowOf<typeof sends>

export interface WholeSendRow extends Omit<StoredSendRow, 'sealed_content' | 'sealed_error'>, SendContent {
  error: string | null
}

export interface SendAddress {
  applicationId: string
  id: string
}
export interface GrantAddress {
  applicationId: string
  grantId: string
}

const { columns: whole } = sends
const add = sends.insert('id, application_id', { name: 'sends.add', raises: ['sends'] })
const read = sends.select('read')`where application_id = $1 and id = $2`
const begin = sql('sends.begin', { raises: ['sends'] })`update sends set state = 'transmitting', began_at = $4
   where application_id = $1 and id = $2 and attempt = $3 and state = 'claimed'`
const settle = sql('sends.settle', { raises: ['sends'] })`update sends
   set state = $7, next_at = $8, owner = $9, filing = $10, provider_id = coalesce($11, provider_id),
   sealed_error = $12, closed_at = $13
   where application_id = $1 and id = $2 and attempt = $3 and state in ($4, $5, $6)`
const filed = sql('sends.filed', { raises: ['sends'] })`update sends
   set filing = $4, provider_id = coalesce($5, provider_id), next_at = $6, owner = null,
   filing_tries = filing_tries + 1
   where application_id = $1 and id = $2 and owner = $3 and filing = 'pending'`
const checkAgain = sql('sends.lookAgain', { raises: ['sends'] })`update sends set next_at = $4, owner = null
   where application_id = $1 and id = $2 and owner = $3 and state = 'unknown'`
const byMessage = sql<StoredSendRow>('sends.byMessage')`select ${whole} from sends
   where application_id = $1 and grant_id = $2 and message_id = $3 order by created_at limit 1`
const removeFailed = sends.delete('removeFailed')`where application_id = $1 and id = $2 and state = 'failed'
   and schedule_id is null`
/**
 * A row that no worker is processing: it has no owner, this node forgot it, its owner is dead, or its request has
 * ended.
 */
const free = (now: string, node: string, seen: string, stale: string): string =>
  `next_at <= ${now} and (owner is null or owner = ${node} or (state = 'accepted' and next_at < ${stale})
   or owner not in (select nodes.id from nodes where nodes.seen_at >= ${seen}))`

const own = sql('sends.own', { raises: ['sends'] })`update sends set owner = $4
   where application_id = $1 and id = $2 and state = $3 and ${free('$5', '$4', '$6', '$7')}`

/** By then the request must have ended, so an unsent message was abandoned. */
const staleMs = 120_000

export interface Worker {
  node: string
  now: number
}
const freedom = ({ now }: Worker): [seen: number, stale: number] => [now - nodeLeaseMs, now - staleMs]

/** A few list lengths, so that few statements are prepared. The last value is repeated. */
const sizes = [1, 8, 32, 128, 512]
function padded(values: readonly string[]): string[] {
  const size = sizes.find((one) => one >= values.length) ?? values.length
  return Array.from({ length: size }, (_, index) => values[index] ?? values.at(-1) ?? '')
}
const places = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

/** Due rows without an active owner, except those of some grants, earliest first. */
export function dueSends(
  queries: Queries,
  by: Worker,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<SendRow[]> {
  const grants = without.length === 0 ? [] : padded(without)
  const others = grants.length === 0 ? '' : `and grant_id not in (${places(grants.length, 6)})`
  const statement = dynamic<SendRow>({
    name: 'sends.due',
    text: `select ${sendColumns} from sends where ${free('$1', '$2', '$3', '$4')} ${others} order by next_at, id limit $5`,
  })
  return queries.all(statement, [by.now, by.node, ...freedom(by), limit, ...grants])
}

/** Claims messages that are due, or that a dead node had claimed. Returns the claimed ones. */
export async function claimSends(
  queries: Distributable,
  by: Worker & { attempt: string; seals: DataSeals },
  sends: readonly SendAddress[],
): Promise<WholeSendRow[]> {
  // One application is on one machine: no claim waits for another machine, or fails with it.
  const groups = queries.isDistributed?.() ? [...Map.groupBy(sends, (each) => each.applicationId).values()] : [sends]
  return (await Promise.all(groups.map((group) => claimTogether(queries, by, group)))).flat()
}

async function claimTogether(
  queries: Queries,
  by: Worker & { attempt: string; seals: DataSeals },
  sends: readonly SendAddress[],
): Promise<WholeSendRow[]> {
  if (sends.length === 0) return []
  // Sorted: the same order on all nodes prevents deadlocks.
  const ids = padded(sends.map(({ id }) => id).toSorted())
  const applications = padded([...new Set(sends.map(({ applicationId }) => applicationId))])
  const statement: Statement<StoredSendRow> = dynamic({
    name: 'sends.claim',
    text: `update sends set state = 'claimed', owner = $2, attempt = $5, tries = tries + 1
     where id in (${places(ids.length, 6)}) and application_id in (${places(applications.length, 6 + ids.length)})
     and state in ('accepted', 'scheduled', 'claimed')
     and ${free('$1', '$2', '$3', '$4')} returning ${whole}`,
    raises: ['sends'],
  })
  const values = [by.now, by.node, ...freedom(by), by.attempt, ...ids, ...applications]
  return openSends(by.seals, await queries.all(statement, values))
}

const claimOne = sql('sends.claimOne', { raises: ['sends'] })`update sends
   set state = 'claimed', owner = $3, attempt = $4, tries = tries + 1
   where application_id = $1 and id = $2 and (state = 'accepted' or (state = 'claimed' and ${free('$5', '$3', '$6', '$7')}))`
/** Claims a message for the request that waits for it. */
export const claimSend = async (
  queries: Queries,
  at: SendAddress,
  by: Worker & { attempt: string },
): Promise<boolean> =>
  (await queries.run(claimOne, [at.applicationId, at.id, by.node, by.attempt, by.now, ...freedom(by)])) === 1

/** Makes this node the owner of a row, to search for the message or to file its copy. */
export const ownSend = async (queries: Queries, row: SendRow, by: Worker): Promise<boolean> =>
  (await queries.run(own, [row.application_id, row.id, row.state, by.node, by.now, ...freedom(by)])) === 1

export interface NewSendRow extends SendContent {
  id: string
  applicationId: string
  grantId: string
  state: string
  messageId: string
  scheduleId: string | null
  dueAt: number
  owner: string | null
  /** For a message that is already claimed. */
  attempt?: string | null
  requestHash?: string | null
  now: number
  /** For a message that is already being sent. */
  beganAt?: number | null
  /** For a message that has already failed. */
  failed?: { error: string; at: number }
}

/** Inserts an accepted message. Undefined if the id already exists. */
export const addSend = async (tx: Queries, row: NewSendRow, seals: DataSeals): Promise<WholeSendRow | undefined> => {
  const added = sendRowOf(row)
  const { sender, recipients, facts, error, ...stored } = added
  const sealed_content = sealSendContent(seals, row, { sender, recipients, facts })
  const inserted = await tx.run(...add({ ...stored, sealed_content, sealed_error: sealSendError(seals, row, error) }))
  return inserted === 1 ? added : undefined
}

/** A new row in the form in which it is read. */
export function sendRowOf(row: NewSendRow): WholeSendRow {
  const { attempt = null, failed, sender, recipients, facts } = row
  return {
    id: row.id,
    application_id: row.applicationId,
    grant_id: row.grantId,
    state: row.state,
    message_id: row.messageId,
    sender,
    recipients,
    facts,
    schedule_id: row.scheduleId,
    due_at: row.dueAt,
    next_at: failed ? null : row.dueAt,
    owner: row.owner,
    attempt,
    tries: attempt ? 1 : 0,
    began_at: row.beganAt ?? null,
    filing: 'none',
    filing_tries: 0,
    provider_id: null,
    error: failed?.error ?? null,
    request_hash: row.requestHash ?? null,
    created_at: row.now,
    closed_at: failed?.at ?? null,
  }
}

const openOne = async (seals: DataSeals, row: StoredSendRow | undefined): Promise<WholeSendRow | undefined> =>
  row && (await openSends(seals, [row]))[0]

export const readSend = async (
  queries: Queries,
  at: SendAddress,
  seals: DataSeals,
): Promise<WholeSendRow | undefined> => openOne(seals, await queries.get(read, [at.applicationId, at.id]))

/** Records that the provider may receive the message from now on. False if the claim was lost. */
export const beginSend = async (queries: Queries, at: SendAddress, attempt: string, now: number): Promise<boolean> =>
  (await queries.run(begin, [at.applicationId, at.id, attempt, now])) === 1

export interface Settled {
  /** At most three states from which the message may be settled. */
  from: readonly string[]
  state: string
  nextAt: number | null
  owner: string | null
  filing: string
  providerId: string | null
  error: string | null
  closedAt: number | null
}

/** Records the result of an attempt. False if a newer attempt has replaced it. */
export async function settleSend(
  tx: Queries,
  at: SendAddress,
  { attempt, seals }: { attempt: string; seals: DataSeals },
  { from, ...to }: Settled,
): Promise<boolean> {
  const [one = '', two = one, three = two] = from
  const error = sealSendError(seals, at, to.error)
  const values: Value[] = [to.state, to.nextAt, to.owner, to.filing, to.providerId, error, to.closedAt]
  return (await tx.run(settle, [at.applicationId, at.id, attempt, one, two, three, ...values])) === 1
}

const unnamed = sql<{ id: string }>('sends.unnamed')`select id from sends
   where application_id = $1 and id = $2 and provider_id is null`

/** Whether the API id of a message is still unknown. */
export const isUnnamedSend = async (queries: Queries, { applicationId, id }: SendAddress): Promise<boolean> =>
  (await queries.get(unnamed, [applicationId, id])) !== undefined

/** Records the result of filing the copy in the Sent folder. */
export const keepFiling = async (
  queries: Queries,
  at: SendAddress,
  owner: string,
  to: { filing: string; providerId: string | null; nextAt: number | null },
): Promise<boolean> =>
  (await queries.run(filed, [at.applicationId, at.id, owner, to.filing, to.providerId, to.nextAt])) === 1

/** Schedules another search for a message that was not found. */
export const searchForSendAgain = (queries: Queries, at: SendAddress, owner: string, nextAt: number): Promise<number> =>
  queries.run(checkAgain, [at.applicationId, at.id, owner, nextAt])

/** The message that a grant sent with a Message-ID. */
export const findSendByMessageId = async (
  queries: Queries,
  at: GrantAddress,
  messageId: string,
  seals: DataSeals,
): Promise<WholeSendRow | undefined> =>
  openOne(seals, await queries.get(byMessage, [at.applicationId, at.grantId, messageId]))

/** Deletes a failed message that was not scheduled, so that its id can be used again. */
export const removeFailedSend = async (queries: Queries, at: SendAddress): Promise<boolean> =>
  (await queries.run(removeFailed, [at.applicationId, at.id])) === 1

export const purgeSends = sends.purge('id, application_id', 'closed_at', 'and next_at is null')
