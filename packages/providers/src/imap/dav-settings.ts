/**
 * Finds the calendars and contacts of a mailbox: at the configured address, at that of a well-known vendor, or, with
 * "auto", through the domain. A configured address must work. A discovered one is used if it accepts the account;
 * otherwise it is left out and the reason is reported.
 */

import { ApiError, invalidField } from '@waypost/platform/api-error'
import { isLoopbackHost } from '@waypost/platform/egress/addresses'
import type { Names } from '../dav/discovery.ts'
import type { ServiceName } from '../dav/home.ts'
import { findDav } from '../dav/session.ts'
import type { Io } from '../io.ts'
import { knownDavAt, usualDavPaths } from '../mail/dav-servers.ts'
import type { Auth } from '../mail/server-account.ts'
import { domainOf } from '../shared/domain-hosts.ts'
import { providerReason, providerStatus } from '../shared/refusal.ts'
import { isRetryable } from '../shared/retryable.ts'
import { addressOf } from './account.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const services = ['caldav', 'carddav'] as const satisfies readonly ServiceName[]
/** Time for discovering a service that the settings do not name. */
const unrequestedMs = 15_000
const titles: Record<ServiceName, string> = { caldav: 'calendars', carddav: 'contacts' }

/** The address of a service, if the account has it. */
export function davUrlOf(settings: Record<string, unknown>, service: ServiceName): string | undefined {
  const url = text(settings[`${service}_url`])
  return url === 'none' ? undefined : url
}

/** The login for DAV servers: that of IMAP unless the settings name another. */
export function davAuthOf(settings: Record<string, unknown>, credentials: Record<string, unknown>): Auth {
  const user = text(settings.dav_username) ?? text(settings.imap_username) ?? ''
  const password = text(credentials.dav_password) ?? text(credentials.imap_password)
  if (password !== undefined) return { user, password }
  const token = text(credentials.imap_access_token) ?? ''
  return { user, accessToken: async () => token }
}

export interface DavAccount {
  settings: Record<string, unknown>
  credentials: Record<string, unknown>
  imapHost: string
  /** Replaces the system's name service. */
  names?: Names
}

/** The request options for DAV servers. */
export function davServersOf({ settings, credentials, imapHost }: DavAccount) {
  const auth = davAuthOf(settings, credentials)
  const known = knownDavAt(imapHost, auth.user)
  return { auth, known, domain: domainOf(addressOf(settings)), davHosts: known?.domains }
}

/** The settings with the addresses of calendars and contacts. Throws if a configured address does not work. */
export async function findDavSettings(account: DavAccount, io: Io): Promise<Record<string, unknown>> {
  for (const service of services) checkForm(service, text(account.settings[`${service}_url`]))
  const found = await Promise.all(services.map((service) => findService(service, account, io)))
  const { dav_username } = account.settings
  const has = services.some((service) => found.some((each) => davUrlOf(each, service) !== undefined))
  return Object.assign({}, ...found, has && text(dav_username) ? { dav_username } : {})
}

function checkForm(service: ServiceName, given: string | undefined): void {
  if (given === undefined || given === 'none' || given === 'auto') return
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (!url || !isSafe || url.username !== '' || url.password !== '') {
    throw invalidField(`settings.${service}_url`, 'must be an address that begins with https://, or "auto", or "none"')
  }
}

async function findService(service: ServiceName, account: DavAccount, io: Io): Promise<Record<string, unknown>> {
  const name = `${service}_url`
  const given = text(account.settings[name])
  if (given === 'none') return { [name]: given }
  const { known, ...found } = davServersOf(account)
  const servers = { ...found, names: account.names }
  const own = known?.[service]
  if (given === undefined && own === undefined) return {}
  const isGiven = given !== undefined && given !== 'auto' && given !== own
  if (isGiven) {
    const url = await firstOf(service, placesOf(given), servers, io).catch((error: unknown) => {
      throw error instanceof ApiError ? refusal(service, error) : error
    })
    return { [name]: url }
  }
  const soon = AbortSignal.timeout(unrequestedMs)
  try {
    const bounded = { ...io, signal: AbortSignal.any([io.signal, soon]) }
    return { [name]: await firstOf(service, [own], servers, bounded) }
  } catch (error) {
    io.signal.throwIfAborted()
    if (!soon.aborted && !(error instanceof ApiError)) throw error
    // It worked before, so it stays.
    if (given !== undefined && given === own && (soon.aborted || isRetryable(error))) return { [name]: own }
    const problem = error instanceof ApiError ? problemOf(service, error) : 'the server did not answer in time'
    return { [`${service}_problem`]: problem }
  }
}

/** For an address without a path, the usual paths are tried too. */
export function placesOf(given: string): string[] {
  const { pathname, origin } = new URL(given)
  return pathname === '/' ? [given, ...usualDavPaths.map((path) => `${origin}${path}`)] : [given]
}

type Servers = Pick<Parameters<typeof findDav>[2], 'auth' | 'domain' | 'davHosts' | 'names'>

async function firstOf(
  service: ServiceName,
  urls: readonly (string | undefined)[],
  servers: Servers,
  io: Io,
): Promise<string> {
  let missing: unknown
  for (const url of urls) {
    try {
      return (await findDav(io, service, { ...servers, ...(url === undefined ? {} : { url }) })).url
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'grant_invalid' || io.signal.aborted) throw error
      // An unreachable server is unreachable at every path; after any other response, DAV may be at another path.
      if (isRetryable(error) && providerReason(error) !== 'malformed_answer') throw error
      missing ??= error
    }
  }
  throw missing
}

/** The reason in words for the person who connects the account. */
function problemOf(service: ServiceName, error: ApiError): string {
  if (error.code === 'grant_invalid') {
    return `the ${titles[service]} server does not accept the user name and password: set dav_username and dav_password if they differ from those of IMAP`
  }
  if (error.code === 'not_found') return `no ${titles[service]} were found there${answered(error)}: ${instead(service)}`
  if (isNoDav(error)) return `${error.message}: ${instead(service)}`
  return isForCaller(error) ? `${error.message}; name the server in ${service}_url` : error.message
}

const isNoDav = (error: ApiError): boolean => providerReason(error) === 'malformed_answer'

const answered = (error: ApiError): string => {
  const status = providerStatus(error)
  return status === undefined ? '' : `(the server responded with ${status})`
}

const instead = (service: ServiceName): string =>
  `set the address of the ${service === 'caldav' ? 'CalDAV' : 'CardDAV'} server, such as https://dav.example.com, or "auto" to discover it`

/** Whether only the caller can name the server: discovery led to an unrelated host, or could not start. */
const isForCaller = (error: ApiError): boolean => ['foreign_host', 'no_domain'].includes(providerReason(error))

function refusal(service: ServiceName, error: ApiError): ApiError {
  const field = `settings.${service}_url`
  const problem = problemOf(service, error)
  if (error.code === 'grant_invalid') {
    const fields = { reason: 'credentials_failed', field }
    return new ApiError('authentication_failed', `${field}: ${problem}`, { fields, cause: error })
  }
  if (isRetryable(error) && !isNoDav(error)) {
    return new ApiError('provider_unavailable', `${field}: ${problem}`, { fields: { field }, cause: error })
  }
  const { details } = invalidField(field, problem)
  return new ApiError('invalid_request', `${field}: ${problem}`, { ...details, fields: { field }, cause: error })
}
