/**
 * Proof that the person at a browser owns a connected account. It is a hosted sign-in whose only result is the id of
 * the grant: it creates no grant, changes none, and stores no credentials. The pages of account owners use it.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { CredentialForm } from '@waypost/providers/form'
import type { Queries } from '@waypost/store/engine/database'
import { findGrantByEmail, type GrantRecord } from '@waypost/store/tables/grants/grants'
import { accountKey } from './locator.ts'
import type { Authenticated, Owner } from './verify-credentials.ts'

/** The path at which a browser returns from such a sign-in. It is below the base URL. */
export const proofReturnPath = '/account/return'

/** Where an account is looked for. */
export interface AccountPlace {
  owner: Owner
  kind: string
  email: string
}

async function findConnected(queries: Queries, { owner, kind, email }: AccountPlace): Promise<GrantRecord | undefined> {
  const record = await findGrantByEmail(queries, owner.id, accountKey(kind, email))
  return record && record.status !== 'unverified' && record.grant.provider === kind ? record : undefined
}

const notConnected = (): ApiError =>
  new ApiError('authentication_failed', 'this account is not connected to the application')

/**
 * The input of a form, with the settings that decide which account it opens taken from the grant. An address without
 * a grant is answered like a wrong password, so that nobody learns which addresses are connected.
 */
export async function fieldsForProof(
  queries: Queries,
  form: CredentialForm,
  at: AccountPlace,
  written: Record<string, string>,
): Promise<Record<string, string>> {
  const { settings, fields } = form.proof
  const record = await findConnected(queries, at)
  const field = fields.at(-1) ?? ''
  if (!record) {
    throw new ApiError('authentication_failed', `settings.${field}: the sign-in was not accepted`, {
      fields: { reason: 'credentials_failed', field: `settings.${field}` },
    })
  }
  const pick = (source: Record<string, unknown>, names: readonly string[]): [string, string][] =>
    names.flatMap((name) => (source[name] === undefined ? [] : [[name, String(source[name])]]))
  return Object.fromEntries([...pick(written, fields), ...pick(record.grant.settings, settings)])
}

/** The grant that an accepted account proves. A user id of the provider must be that of the grant. */
export async function provenGrant(queries: Queries, owner: Owner, account: Authenticated): Promise<GrantRecord> {
  const { identity, connector } = account
  const record = await findConnected(queries, { owner, kind: connector.provider, email: identity.email })
  if (!record || record.grant.provider_user_id !== identity.providerUserId) throw notConnected()
  return record
}
