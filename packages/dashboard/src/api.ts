/** The service as the page sees it: the SDK with the browser's session, and the cache of what it answered. */
import { createWaypost, type ErrorCode, errors, type WaypostClient, WaypostError } from '@waypost/sdk'

/** The service may stand below a path of its host: what is before `/dashboard` in the address. */
const prefix = window.location.pathname.split('/dashboard')[0] ?? ''
export const baseUrl = `${window.location.origin}${prefix}`
export const pageBase = `${prefix}/dashboard`

const clients = new Map<string, WaypostClient>()

/** The client for an application; without one, for the routes of the administrator. */
export function api(application = ''): WaypostClient {
  const known = clients.get(application)
  if (known) return known
  const client = createWaypost({
    baseUrl,
    admin: application === '' ? {} : { application },
    // Whoever waits before a page would rather be told.
    retries: 0,
    timeoutMs: 60_000,
  })
  clients.set(application, client)
  return client
}

const entries = Object.entries(errors) as [ErrorCode, (typeof errors)[ErrorCode]][]

/** What to do about an error, in the words of the catalogue. */
export function remedyOf(error: unknown): string | undefined {
  if (!(error instanceof WaypostError)) return undefined
  if (error.type === 'network_error') return 'Check that the service runs and can be reached, then try again.'
  const same = entries.filter(([, each]) => each.type === error.type)
  const [, found] = same.find(([, each]) => each.status === error.status) ?? same[0] ?? []
  return found?.remedy
}

/** Whether an error says that nobody is signed in here (and not that a grant lost its access). */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof WaypostError && error.status === 401 && !error.type.startsWith('grant.')

/** Whether the password was right, and a code of the second factor is missing or wrong. */
export const needsCode = (error: unknown): boolean =>
  error instanceof WaypostError && error.type === errors.second_factor_required.type

/** Whether something must be done first, such as setting up a second factor. */
export const mustActFirst = (error: unknown): boolean =>
  error instanceof WaypostError &&
  [errors.password_change_required.type, errors.second_factor_setup_required.type].some((type) => type === error.type)

/** Whether there is no such thing, or no more. */
export const isMissing = (error: unknown): boolean => error instanceof WaypostError && error.status === 404

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
