/** People who administer the service. */
import type { Role } from '@waypost/contract'
import { dynamic, type Engine, type Queries, sql, type Value } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'

/** Times in milliseconds. */
const people = table('people', {
  id: text,
  /** In the form that is used for comparison. */
  email: text,
  name: text,
  role: word<Role>(),
  /** Ids of applications as JSON; null means all. */
  applications: nullable(text),
  blocked: number,
  password_hash: nullable(text),
  /** The identity of the person at the OpenID provider. */
  issuer: nullable(text),
  subject: nullable(text),
  sealed_totp: nullable(text),
  /** The secret of a second factor that is not confirmed yet. */
  sealed_pending_totp: nullable(text),
  /** The time step of the last accepted code. */
  totp_step: number,
  /** Wrong codes after a correct password, and the start of the count. */
  code_failures: number,
  code_failures_since: number,
  invitation_hash: nullable(text),
  invitation_expires_at: nullable(number),
  /** Incremented when a credential of the person changes. */
  credentials: number,
  signed_in_at: nullable(number),
  created_at: number,
  updated_at: number,
})
export type PersonRow = RowOf<typeof people>

const { columns } = people
const insert = named<NewPerson>('people.insert')`insert into people (id, email, name, role, applications,
   invitation_hash, invitation_expires_at, issuer, subject, created_at, updated_at)
   values (:id, :email, :name, :role, :applications, :invitation_hash, :invitation_expires_at, :issuer, :subject, :created_at, :created_at)
   on conflict do nothing`
const get = people.select('get')`where id = $1`
const byEmail = people.select('byEmail')`where email = $1`
const bySubject = people.select('bySubject')`where issuer = $1 and subject = $2`
const byInvitation = people.select('byInvitation')`where invitation_hash = $1 and invitation_expires_at > $2
   and blocked = 0`
const change = people.update('change')`set name = $2, role = $3, applications = $4, blocked = $5,
   credentials = credentials + $6, updated_at = $7 where id = $1`
const remove = people.delete('remove')`where id = $1`
const activeOwners = sql<{ count: number }>('people.activeOwners')`select count(*) as count from people
   where role = 'owner' and blocked = 0 and (password_hash is not null or subject is not null)`

/** An installation has few owners. The limit bounds the mails of one notice. */
const ownerEmails = sql<{ email: string }>('people.ownerEmails')`select email from people
   where role = 'owner' and blocked = 0
   and (password_hash is not null or subject is not null) order by email limit 20`
/** The addresses of owners who can sign in. */
export const ownerAddresses = async (queries: Queries): Promise<string[]> =>
  (await queries.all(ownerEmails)).map(({ email }) => email)

export type NewPerson = Pick<
  PersonRow,
  | 'id'
  | 'email'
  | 'name'
  | 'role'
  | 'applications'
  | 'invitation_hash'
  | 'invitation_expires_at'
  | 'issuer'
  | 'subject'
  | 'created_at'
>

/** Adds a person. False if the address or the subject is already in use. */
export const insertPerson = async (queries: Queries, row: NewPerson): Promise<boolean> =>
  (await queries.run(...insert(row))) === 1
export const getPerson = (queries: Queries, id: string): Promise<PersonRow | undefined> => queries.get(get, [id])
export const findPersonByEmail = (queries: Queries, email: string): Promise<PersonRow | undefined> =>
  queries.get(byEmail, [email])
export const findPersonBySubject = (
  queries: Queries,
  issuer: string,
  subject: string,
): Promise<PersonRow | undefined> => queries.get(bySubject, [issuer, subject])
/** The person of a valid invitation with this hash. */
export const findPersonByInvitation = (queries: Queries, hash: string, now: number): Promise<PersonRow | undefined> =>
  queries.get(byInvitation, [hash, now])

/** Writes the changes of an owner. With `credentials`, sign-ins in progress become invalid. */
export const updatePerson = (
  queries: Queries,
  row: PersonRow,
  { credentials, now }: { credentials: boolean; now: number },
): Promise<number> =>
  queries.run(change, [row.id, row.name, row.role, row.applications, row.blocked, credentials ? 1 : 0, now])
export const deletePerson = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.run(remove, [id])) === 1
/** People who can sign in with a password. */
const withPassword = sql<{ id: string }>('people.withPassword')`select id from people
   where password_hash is not null and blocked = 0 limit 1`
/** Whether any person can sign in with an address and a password. */
export const hasPersonWithPassword = async (queries: Queries): Promise<boolean> =>
  (await queries.get(withPassword)) !== undefined

export const countActiveOwners = async (queries: Queries): Promise<number> =>
  Number((await queries.get(activeOwners))?.count ?? 0)

const ownersWithSecondFactor = sql<{ count: number }>('people.ownersWithSecondFactor')`select count(*) as count
   from people where role = 'owner' and blocked = 0
   and (subject is not null or password_hash is not null and sealed_totp is not null)`
/** Owners who can still sign in when a second factor is required. */
export const countOwnersWithSecondFactor = async (queries: Queries): Promise<number> =>
  Number((await queries.get(ownersWithSecondFactor))?.count ?? 0)

const lockRow = people.update('lockOne')`set blocked = blocked where id = $1`
/** Locks a person until the transaction ends. False if there is no such person. */
export const lockPerson = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.run(lockRow, [id])) === 1

const rename = people.update('rename')`set name = $2, updated_at = $3 where id = $1`
export const renamePerson = (
  queries: Queries,
  id: string,
  { name, now }: { name: string; now: number },
): Promise<number> => queries.run(rename, [id, name, now])

const signedIn = people.update('signedIn')`set signed_in_at = $2, code_failures = 0
   where id = $1 and blocked = 0 and credentials = $3`
/** Records a sign-in. False if the credentials of the person have changed since they were read. */
export const noteSignIn = async (
  queries: Queries,
  { id, credentials }: Pick<PersonRow, 'id' | 'credentials'>,
  now: number,
): Promise<boolean> => (await queries.run(signedIn, [id, now, credentials])) === 1

const setInvitation = people.update('setInvitation')`
   set invitation_hash = $2, invitation_expires_at = $3, updated_at = $4 where id = $1`
export const writeInvitation = (
  queries: Queries,
  id: string,
  { hash, expiresAt, now }: { hash: string; expiresAt: number; now: number },
): Promise<number> => queries.run(setInvitation, [id, hash, expiresAt, now])

const accept = people.update('accept')`
   set name = $3, password_hash = $4, invitation_hash = null, invitation_expires_at = null,
   credentials = credentials + 1, updated_at = $2
   where invitation_hash = $1 and invitation_expires_at > $2 and blocked = 0`
/** Uses an invitation. False if it is not valid, or no longer. */
export const acceptInvitation = async (
  queries: Queries,
  hash: string,
  { name, passwordHash, now }: { name: string; passwordHash: string; now: number },
): Promise<boolean> => (await queries.run(accept, [hash, now, name, passwordHash])) === 1

const setPassword = people.update('setPassword')`
   set password_hash = $3, invitation_hash = null, invitation_expires_at = null,
   credentials = credentials + 1, updated_at = $4 where id = $1 and password_hash = $2`
/** Changes the password. False if the stored password is no longer `before`. */
export const writePassword = async (
  queries: Queries,
  id: string,
  { before, after, now }: { before: string; after: string; now: number },
): Promise<boolean> => (await queries.run(setPassword, [id, before, after, now])) === 1

const setSubject = people.update('setSubject')`
   set issuer = $2, subject = $3, invitation_hash = null, invitation_expires_at = null,
   credentials = credentials + 1, updated_at = $4 where id = $1 and subject is null and blocked = 0`
/** Links a person to an identity of the OpenID provider. False if there is one already. */
export const writeSubject = async (
  queries: Queries,
  id: string,
  { issuer, subject, now }: { issuer: string; subject: string; now: number },
): Promise<boolean> => (await queries.run(setSubject, [id, issuer, subject, now])) === 1

/** Filters for people. */
export interface PeopleSearch {
  text?: string | undefined
  role?: Role | undefined
  state?: 'invited' | 'active' | 'blocked' | undefined
}

const canSignIn = '(password_hash is not null or subject is not null)'
const stateCondition = {
  blocked: 'blocked = 1',
  active: `blocked = 0 and ${canSignIn}`,
  invited: `blocked = 0 and not ${canSignIn}`,
} as const

/** People in order of their address. */
export function listPeople(
  queries: Queries,
  engine: Engine,
  { search, after, limit }: { search: PeopleSearch; after?: string | undefined; limit: number },
): Promise<PersonRow[]> {
  const values: Value[] = [limit]
  const add = (value: Value): string => `$${values.push(value)}`
  const found = engine === 'sqlite' ? 'instr' : 'strpos'
  const where: string[] = []
  if (after !== undefined) where.push(`email > ${add(after)}`)
  if (search.role !== undefined) where.push(`role = ${add(search.role)}`)
  if (search.state !== undefined) where.push(stateCondition[search.state])
  if (search.text !== undefined) {
    const part = add(search.text.toLowerCase())
    where.push(`(${found}(email, ${part}) > 0 or ${found}(lower(name), ${part}) > 0)`)
  }
  const condition = where.length > 0 ? `where ${where.join(' and ')}` : ''
  return queries.all(
    dynamic<PersonRow>({
      name: 'people.list',
      text: `select ${columns} from people ${condition} order by email limit $1`,
    }),
    values,
  )
}
