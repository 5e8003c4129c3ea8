/** Contacts that the service stores itself, bound to one grant. All personal data is encrypted. */
import { ApiError } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { ContactFilter, ContactRow, ContactTables, StoredSource } from '@waypost/providers/contacts/tables'
import { dynamic, type Queries, type Statement, sql, type Value } from '../../engine/database.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import { lockGrant } from '../grants/grants.ts'
import { contactGroupTables } from './contact-groups.ts'
import { contactPictureTables } from './contact-pictures.ts'
import { type Holder, inSizedParts, ofGrant } from './metadata-rows.ts'

interface Row {
  id: string
  source: StoredSource
  group_id: string | null
  met_at: number
  named_at: number
  sealed_contact: string
}

/** The encrypted part of a contact. */
type SealedContact = Pick<ContactRow, 'fields' | 'emailKey' | 'phoneKey' | 'pictureKey'>

const read = 'id, source, group_id, met_at, named_at, sealed_contact'
const get = sql<Row>('contacts.get')`select ${read} from contacts where ${ofGrant} and id = $3`
const count = sql<{ n: number }>('contacts.count')`select count(*) as n from contacts where ${ofGrant} and source = $3`
const insert = sql('contacts.insert')`
   insert into contacts (application_id, grant_id, id, source, email_hash, phone_hash, group_id, met_at, named_at,
   sealed_contact) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const update = sql('contacts.update')`update contacts
   set source = $4, email_hash = $5, phone_hash = $6, group_id = $7, met_at = $8, named_at = $9,
   sealed_contact = $10 where ${ofGrant} and id = $3`
const remove = sql('contacts.remove')`delete from contacts where ${ofGrant} and id = $3`
const longestUnmet = sql<Row>('contacts.longestUnmet')`select ${read} from contacts
   where ${ofGrant} and source = 'inbox' order by met_at, id limit $3`

// Without a condition on the source: with it, SQLite would scan all contacts from the inbox.
const known = (size: number): Statement<Row> =>
  dynamic({
    name: 'contacts.known',
    text: `select ${read} from contacts where ${ofGrant}
     and email_hash in (${Array.from({ length: size }, (_, index) => `$${index + 3}`).join(', ')})`,
  })

/** A page of the contacts of one source, with filters. */
function listing({ source, groupId, after, limit }: ContactFilter, hashes: Record<string, string | undefined>) {
  const values: Value[] = [source]
  const bind = (value: Value): string => `$${values.push(value) + 2}`
  const wanted = Object.entries({ ...hashes, group_id: groupId })
  const narrowed = wanted.map(([column, value]) => (value === undefined ? '' : ` and ${column} = ${bind(value)}`))
  const beyond = after === undefined ? '' : ` and id > ${bind(after)}`
  const text = `select ${read} from contacts where ${ofGrant} and source = $3${narrowed.join('')}${beyond}
    order by id limit ${bind(limit)}`
  return { statement: dynamic<Row>({ name: 'contacts.list', text }), values }
}

const contactContext = sealedColumn('contacts', 'sealed_contact')

/** The tables of one account, for an adapter whose contacts the service stores. */
export function contactTables(queries: Queries, seals: DataSeals, { applicationId, grantId }: Holder): ContactTables {
  const at = [applicationId, grantId] as const
  const contextOf = (id: string) => contactContext(applicationId, `${grantId} ${id}`)
  // The hash includes the grant, so that the store does not reveal which accounts share a contact.
  const hashOf = (column: 'email_hash' | 'phone_hash', key: string): string =>
    seals.hash(`${grantId} ${key}`, { table: 'contacts', column, application: applicationId })
  const opened = async (rows: readonly Row[]): Promise<ContactRow[]> => {
    await seals.learn(rows.map((row) => row.sealed_contact))
    return rows.map(({ id, source, group_id, met_at, named_at, sealed_contact }) => {
      // A contact that was altered in the store still appears, so that it can be deleted.
      const text = seals.openOrLog(sealed_contact, contextOf(id))
      const sealed: SealedContact = text === undefined ? nothing : JSON.parse(text)
      return { id, source, ...sealed, groupId: group_id, metAt: met_at, namedAt: named_at }
    })
  }
  const valuesOf = ({ id, source, groupId, metAt, namedAt, ...known }: ContactRow): Value[] => {
    const { fields, emailKey, phoneKey, pictureKey } = known
    const sealed = seals.seal(
      JSON.stringify({ fields, emailKey, phoneKey, pictureKey } satisfies SealedContact),
      contextOf(id),
    )
    const email = emailKey === null ? null : hashOf('email_hash', emailKey)
    const phone = phoneKey === null ? null : hashOf('phone_hash', phoneKey)
    return [...at, id, source, email, phone, groupId, metAt, namedAt, sealed]
  }
  return {
    async list(filter) {
      const { emailKey, phoneKey } = filter
      const { statement, values } = listing(filter, {
        email_hash: emailKey === undefined ? undefined : hashOf('email_hash', emailKey),
        phone_hash: phoneKey === undefined ? undefined : hashOf('phone_hash', phoneKey),
      })
      return opened(await queries.all(statement, [...at, ...values]))
    },
    async get(id) {
      const row = await queries.get(get, [...at, id])
      return row && (await opened([row]))[0]
    },
    count: async (source) => (await queries.get(count, [...at, source]))?.n ?? 0,
    async met(emailKeys) {
      const found: ContactRow[] = []
      for (const keys of inSizedParts(emailKeys)) {
        const hashes = keys.map((key) => hashOf('email_hash', key))
        const rows = await queries.all(known(keys.length), [...at, ...hashes])
        found.push(...(await opened(rows.filter(({ source }) => source === 'inbox'))))
      }
      return found
    },
    longestUnmet: async (limit) => opened(await queries.all(longestUnmet, [...at, limit])),
    insert: (row) => queries.post(insert, valuesOf(row)),
    update: (row) => queries.post(update, valuesOf(row)),
    remove: (id) => queries.post(remove, [...at, id]),
    pictures: contactPictureTables(queries, seals, { applicationId, grantId }),
    groups: contactGroupTables(queries, seals, { applicationId, grantId }),
    // Must check the result: the contacts of a deleted grant may still be there.
    async lock() {
      if (!(await lockGrant(queries, applicationId, grantId))) throw new ApiError('grant_not_found')
    },
  }
}

const nothing: SealedContact = { fields: {}, emailKey: null, phoneKey: null }
