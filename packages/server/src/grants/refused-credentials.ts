/**
 * The only place where a provider's refusal of credentials makes a grant invalid. And the words for errors of grants, and
 * why a grant is invalid, from its history.
 */

import { errors, type Grant, providerKinds } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Log } from '@waypost/platform/log'
import type { Database, Queries } from '@waypost/store/engine/database'
import { eventMessageContext, lastExpiryOf } from '@waypost/store/tables/grants/grant-events'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { loseAccess, needGrant } from './grants.ts'
import type { Notify } from './notify.ts'

interface Judging {
  database: Database
  secrets: Secrets
  seals: DataSeals
  log: Log
  notify: Notify
  clock: Clock
}

/** Returns the error unchanged. If it is a refusal of the credentials, the grant becomes invalid. */
export async function judgeRefusal(
  { database, secrets, seals, log, notify, clock }: Judging,
  record: GrantRecord,
  { error, requestId }: { error: unknown; requestId: string | undefined },
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== 'grant_invalid') return error
  const { applicationId, grant } = record
  await database.transaction(async (tx) => {
    const now = await needGrant(tx, applicationId, grant.id).catch(() => undefined)
    // It may have been re-authenticated or marked invalid in the meantime.
    if (now?.status !== 'valid' || now.sealedCredentials !== record.sealedCredentials) return
    const sealedMessage = seals.seal(wordsAboutAccount(error, grant), eventMessageContext(applicationId, grant.id))
    const expiry = { reason: 'credentials_refused', sealedMessage } as const
    await loseAccess(tx, now, expiry, { secrets, log, notify, now: clock.now(), requestId })
  })
  return error
}

const retainedMessage = 500

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * Describes an error of a grant. Messages of our own errors are written for clients. For other errors, only the text
 * of the error table is used.
 */
export function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The connection to the provider was lost.'
  const said = error.details.providerError
  const words = [said?.error_description, said?.message, said?.error].find(isText)
  const message = error.message || errors[error.code].title
  const whole = words && !message.includes(words) ? `${message} (the provider said: ${words})` : message
  return whole.slice(0, retainedMessage).toWellFormed().replaceAll('\0', '')
}

/** Describes why a provider refused an account, with its host or name, which some messages lack. */
export function wordsAboutAccount(
  error: ApiError,
  { provider, settings }: Pick<Grant, 'provider' | 'settings'>,
): string {
  const words = wordsOf(error)
  const host = isText(settings.ews_host) ? settings.ews_host : undefined
  const isBare = error.message === errors[error.code].title
  const place = host ?? (isBare ? providerKinds[provider].title : undefined)
  return place === undefined || words.includes(place)
    ? words
    : `${place}: ${words}`.slice(0, retainedMessage).toWellFormed()
}

interface Reading {
  queries: Queries
  seals: DataSeals
  applicationId: string
}

/** The grant; if it is invalid, with `invalid_reason`. */
export async function withReason({ queries, seals, applicationId }: Reading, grant: Grant): Promise<Grant> {
  if (grant.grant_status !== 'invalid') return grant
  const event = await lastExpiryOf(queries, { applicationId, grantId: grant.id }, seals)
  if (!event) return grant
  const { at, reason, message, request_id } = event
  return { ...grant, invalid_reason: { at: seconds(at), reason, message, request_id } }
}

/** Whether a stored document may be of an invalid grant. A text is searched because most grants are valid. */
export const maybeInvalid = (document: string): boolean => document.includes('"grant_status":"invalid"')
