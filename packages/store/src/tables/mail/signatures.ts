import { type Queries, sql } from '../../engine/database.ts'
import { named, number, type RowOf, table, text } from '../../engine/table.ts'
import type { Mailbox } from './message-metadata.ts'

const signatures = table('signatures', {
  id: text,
  application_id: text,
  grant_id: text,
  name: text,
  body: text,
  created_at: number,
  updated_at: number,
})
export type SignatureRow = RowOf<typeof signatures>

/** The start of a page: after the row with this creation time and id. */
export interface After {
  createdAt: number
  id: string
}
export const firstPage: After = { createdAt: -1, id: '' }

const { set } = signatures
const ofGrant = 'application_id = $1 and grant_id = $2'

const insert = signatures.insert()
const list = signatures.select('list')`where ${ofGrant} and (created_at, id) > ($3, $4) order by created_at, id
   limit $5`
const count = signatures.count('count')`where ${ofGrant}`
const get = signatures.select('get')`where ${ofGrant} and id = $3`
const ownerOf = sql<{ grant_id: string }>('signatures.ownerOf')`select grant_id from signatures
   where application_id = $1 and id = $2`
const update = named<SignatureRow>('signatures.update')`update signatures set ${set('name', 'body', 'updated_at')}
   where application_id = :application_id and grant_id = :grant_id and id = :id`
const remove = signatures.delete('remove')`where ${ofGrant} and id = $3`

export const insertSignature = async (tx: Queries, row: SignatureRow): Promise<void> =>
  void (await tx.run(...insert(row)))
/** In order of creation. */
export const listSignatures = (
  queries: Queries,
  at: Mailbox,
  { after = firstPage, limit }: { after: After | undefined; limit: number },
): Promise<SignatureRow[]> => queries.all(list, [at.applicationId, at.grantId, after.createdAt, after.id, limit])
export const countSignatures = async (queries: Queries, at: Mailbox): Promise<number> =>
  (await queries.get(count, [at.applicationId, at.grantId]))?.n ?? 0
export const getSignature = (queries: Queries, at: Mailbox, id: string): Promise<SignatureRow | undefined> =>
  queries.get(get, [at.applicationId, at.grantId, id])
/** Whether the signature is one of another grant of the application. */
export const isForeignSignature = async (queries: Queries, at: Mailbox, id: string): Promise<boolean> => {
  const owner = await queries.get(ownerOf, [at.applicationId, id])
  return owner !== undefined && owner.grant_id !== at.grantId
}
export const updateSignature = (tx: Queries, row: SignatureRow): Promise<number> => tx.run(...update(row))
export const deleteSignature = async (tx: Queries, at: Mailbox, id: string): Promise<boolean> =>
  (await tx.run(remove, [at.applicationId, at.grantId, id])) === 1
