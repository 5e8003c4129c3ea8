/** Verifies a person: address, password, and a code if there is a second factor. */
import type { InvitationAcceptance, PersonSummary } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { emailKey } from '@waypost/platform/email-key'
import type { Database, Queries } from '@waypost/store/engine/database'
import { deleteAdminSessions } from '@waypost/store/tables/applications/admin-sessions'
import {
  acceptInvitation,
  findPersonByEmail,
  findPersonByInvitation,
  getPerson,
  type PersonRow,
} from '@waypost/store/tables/applications/people'
import { hashKey } from './api-keys.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { tryCode } from './second-factor.ts'

export interface Proof {
  email: string
  password: string
  code?: string | undefined
}

/**
 * The result. `wrong` reveals neither whether the person exists nor whether they are blocked. All other results
 * require the correct password.
 */
export type SignInOutcome =
  | { result: 'right'; person: PersonRow }
  | { result: 'wrong' | 'code needed' | 'code wrong' | 'too many codes'; person: PersonRow | undefined }

export interface PersonSignInOptions {
  queries: Database
  secrets: Secrets
  hashing: PasswordHashing
}

/** Checks a proof. A correct code is consumed. */
export async function judgeProof(
  options: PersonSignInOptions,
  { email, password, code }: Proof,
  now: number,
): Promise<SignInOutcome> {
  const { queries, hashing } = options
  const person = await findPersonByEmail(queries, emailKey(email))
  const known = person && person.blocked === 0 ? person : undefined
  if (!(await hashing.matches(known?.password_hash, password)) || !known) return { result: 'wrong', person }
  if (known.sealed_totp === null) return { result: 'right', person: known }
  if (code === undefined) return { result: 'code needed', person }
  const outcome = await tryCode(options, known, { code, now })
  if (outcome === 'right') return { result: 'right', person: known }
  return { result: outcome === 'wrong' ? 'code wrong' : 'too many codes', person }
}

export const summaryOf = ({ id, name, email, role }: Pick<PersonRow, keyof PersonSummary>): PersonSummary => ({
  id,
  name,
  email,
  role,
})

/** The person an invitation belongs to. */
export async function needInvitation(queries: Queries, token: string, now: number): Promise<PersonRow> {
  const row = await findPersonByInvitation(queries, hashKey(token), now)
  if (!row) throw new ApiError('not_found', 'the invitation was already used, has expired, or was replaced')
  return row
}

/** Sets an invited person's password and consumes the invitation, in a transaction. */
export async function takeInvitation(
  tx: Queries,
  row: PersonRow,
  {
    token,
    name,
    passwordHash,
    now,
  }: Pick<InvitationAcceptance, 'token' | 'name'> & { passwordHash: string; now: number },
): Promise<PersonRow> {
  const accepted = await acceptInvitation(tx, hashKey(token), { name: name ?? row.name, passwordHash, now })
  const person = accepted ? await getPerson(tx, row.id) : undefined
  if (!person) throw new ApiError('not_found', 'the invitation was used in the meantime')
  // Sessions started with the previous password end.
  await deleteAdminSessions(tx, row.id)
  return person
}
