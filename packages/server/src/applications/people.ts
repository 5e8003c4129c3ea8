/**
 * People who administer the service: invited by a link, changed and removed by owners. One transaction at a time
 * changes people, so that an owner who can sign in always remains.
 */
import {
  type InvitedPerson,
  limits,
  type Person,
  type PersonChange,
  type PersonDraft,
  type ReachedApplications,
  type Role,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { emailKey } from '@waypost/platform/email-key'
import { newId, newToken } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { deleteAdminSessions } from '@waypost/store/tables/applications/admin-sessions'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { writeFact } from '@waypost/store/tables/applications/installation'
import {
  countActiveOwners,
  deletePerson,
  findPersonByEmail,
  findPersonBySubject,
  getPerson,
  insertPerson,
  type PersonRow,
  updatePerson,
  writeInvitation,
  writeSubject,
} from '@waypost/store/tables/applications/people'
import { countRecoveryCodes } from '@waypost/store/tables/applications/second-factors'
import { hashKey } from './api-keys.ts'

const day = 86_400_000

/** The applications that a person or a service account can access. */
export const reachOf = ({ applications }: { applications: string | null }): ReachedApplications =>
  applications === null ? 'all' : JSON.parse(applications)

const canSignIn = (row: PersonRow): boolean => row.password_hash !== null || row.subject !== null

/** A person as the API returns them. */
export async function personOf(queries: Queries, row: PersonRow, now: number): Promise<Person> {
  const invited = row.invitation_expires_at !== null && row.invitation_expires_at > now
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    applications: reachOf(row),
    state: row.blocked === 1 ? 'blocked' : canSignIn(row) ? 'active' : 'invited',
    has_password: row.password_hash !== null,
    has_totp: row.sealed_totp !== null,
    has_oidc: row.subject !== null,
    recovery_codes_left: row.sealed_totp === null ? 0 : await countRecoveryCodes(queries, row.id),
    invitation_expires_at: invited && row.invitation_expires_at !== null ? seconds(row.invitation_expires_at) : null,
    signed_in_at: row.signed_in_at === null ? null : seconds(row.signed_in_at),
    created_at: seconds(row.created_at),
    updated_at: seconds(row.updated_at),
  }
}

export async function needPerson(queries: Queries, id: string): Promise<PersonRow> {
  const row = await getPerson(queries, id)
  if (!row) throw new ApiError('not_found', 'no person with this id')
  return row
}

/** The URL of an invitation. The fragment is never sent to a server, so it appears in no log. */
const invitationAddress = (baseUrl: string, token: string): string => `${baseUrl}/dashboard#invitation=${token}`

const newInvitation = (now: number): { token: string; hash: string; expiresAt: number } => {
  const token = newToken()
  return { token, hash: hashKey(token), expiresAt: now + limits.invitationDays * day }
}

interface At {
  baseUrl: string
  now: number
}

/** Invites a person, in a transaction. */
export async function invitePerson(tx: Queries, draft: PersonDraft, { baseUrl, now }: At): Promise<InvitedPerson> {
  await lockPeople(tx, now)
  const applications = await checkedReach(tx, draft.role, draft.applications)
  const { token, hash, expiresAt } = newInvitation(now)
  const email = emailKey(draft.email)
  const id = newId()
  const added = await insertPerson(tx, {
    id,
    email,
    name: draft.name ?? email,
    role: draft.role,
    applications,
    created_at: now,
    invitation_hash: hash,
    invitation_expires_at: expiresAt,
    issuer: null,
    subject: null,
  })
  if (!added) throw new ApiError('conflict', 'a person with this address already exists')
  const person = await personOf(tx, await needPerson(tx, id), now)
  return { ...person, invitation_link: invitationAddress(baseUrl, token) }
}

/** Creates a new link for a person, in a transaction. The previous one becomes invalid. */
export async function renewInvitation(tx: Queries, id: string, { baseUrl, now }: At): Promise<InvitedPerson> {
  await lockPeople(tx, now)
  const row = await needPerson(tx, id)
  if (row.blocked === 1) throw new ApiError('conflict', 'the person is blocked: unblock them first')
  const { token, hash, expiresAt } = newInvitation(now)
  await writeInvitation(tx, id, { hash, expiresAt, now })
  const person = await personOf(tx, await needPerson(tx, id), now)
  return { ...person, invitation_link: invitationAddress(baseUrl, token) }
}

/** Changes a person, in a transaction. */
export async function changePerson(tx: Queries, id: string, change: PersonChange, now: number): Promise<Person> {
  await lockPeople(tx, now)
  const row = await needPerson(tx, id)
  const role = change.role ?? row.role
  const reached = change.applications ?? (role === 'owner' ? 'all' : reachOf(row))
  const changed: PersonRow = {
    ...row,
    role,
    name: change.name ?? row.name,
    applications: await checkedReach(tx, role, reached),
    blocked: change.blocked === undefined ? row.blocked : change.blocked ? 1 : 0,
  }
  const blocks = changed.blocked === 1 && row.blocked === 0
  await updatePerson(tx, changed, { credentials: blocks, now })
  if (blocks) await deleteAdminSessions(tx, id)
  await needActiveOwner(tx, row)
  return personOf(tx, await needPerson(tx, id), now)
}

/** Removes a person and their sessions, in a transaction. */
export async function removePerson(tx: Queries, id: string, now: number): Promise<void> {
  await lockPeople(tx, now)
  const row = await needPerson(tx, id)
  await deleteAdminSessions(tx, id)
  await deletePerson(tx, id)
  await needActiveOwner(tx, row)
}

/** Throws if no owner who can sign in would remain. */
async function needActiveOwner(tx: Queries, before: PersonRow): Promise<void> {
  const wasOne = before.role === 'owner' && before.blocked === 0 && canSignIn(before)
  if (!wasOne || (await countActiveOwners(tx)) > 0) return
  throw new ApiError('conflict', 'this is the last owner who can sign in: make somebody else an owner first')
}

/** The stored list of applications that somebody can access. Throws if one does not exist. */
export async function checkedApplications(tx: Queries, reached: ReachedApplications): Promise<string | null> {
  if (reached === 'all') return null
  for (const id of reached) {
    if (!(await getApplication(tx, id))) throw invalidField('applications', 'must contain ids of applications')
  }
  return JSON.stringify([...new Set(reached)])
}

async function checkedReach(tx: Queries, role: Role, reached: ReachedApplications): Promise<string | null> {
  if (role === 'owner' && reached !== 'all') throw invalidField('applications', 'must be "all" for an owner')
  return checkedApplications(tx, reached)
}

/** A person's identity at an OpenID provider. */
export interface Identity {
  issuer: string
  subject: string
  /** The address, if the provider has verified it. */
  email: string | undefined
  name: string | undefined
}

/**
 * The person for an identity, in a transaction: found by the identity, found by the address, or created if people
 * without an invitation get a role. Undefined if there is none, or the person is blocked.
 */
export async function personOfIdentity(
  tx: Queries,
  { issuer, subject, email, name }: Identity,
  { role, now }: { role: Role | undefined; now: number },
): Promise<PersonRow | undefined> {
  await lockPeople(tx, now)
  const known = await findPersonBySubject(tx, issuer, subject)
  if (known) return known.blocked === 1 ? undefined : known
  if (email === undefined) return undefined
  const key = emailKey(email)
  const invited = await findPersonByEmail(tx, key)
  if (invited) {
    return (await writeSubject(tx, invited.id, { issuer, subject, now })) ? getPerson(tx, invited.id) : undefined
  }
  if (role === undefined) return undefined
  const id = newId()
  const facts = { id, email: key, name: name ?? key, role, applications: null, created_at: now }
  await insertPerson(tx, { ...facts, issuer, subject, invitation_hash: null, invitation_expires_at: null })
  return getPerson(tx, id)
}

/** Allows one transaction at a time to change people, so that the count of owners is correct when it commits. */
export const lockPeople = async (tx: Queries, now: number): Promise<void> =>
  void (await writeFact(tx, 'people_lock', String(now)))
