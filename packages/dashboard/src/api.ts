/** The API client of the page: the SDK with the browser's session. */
import { createWaypost, type ErrorCode, errors, type WaypostClient, WaypostError } from '@waypost/sdk'

/** The service can run below a path: the part of the URL before `/dashboard`. */
const prefix = window.location.pathname.split('/dashboard')[0] ?? ''
export const baseUrl = `${window.location.origin}${prefix}`
export const pageBase = `${prefix}/dashboard`

const clients = new Map<string, WaypostClient>()

/** The client for an application; without an application, for the administrator routes. */
export function api(application = ''): WaypostClient {
  const cached = clients.get(application)
  if (cached) return cached
  const client = createWaypost({
    baseUrl,
    admin: application === '' ? {} : { application },
    // Users prefer an immediate error over a slow retry.
    retries: 0,
    timeoutMs: 60_000,
  })
  clients.set(application, client)
  return client
}

const entries = Object.entries(errors) as [ErrorCode, (typeof errors)[ErrorCode]][]

/** The remedy for an error from the error catalog. */
export function remedyOf(error: unknown): string | undefined {
  if (!(error instanceof WaypostError)) return undefined
  if (error.type === 'network_error') return 'Check that the service is running and reachable, then try again.'
  const same = entries.filter(([, each]) => each.type === error.type)
  const [, found] = same.find(([, each]) => each.status === error.status) ?? same[0] ?? []
  return found?.remedy
}

/** Whether the error means that nobody is signed in (not that a grant lost access). */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof WaypostError && error.status === 401 && !error.type.startsWith('grant.')

/** Whether the password was right but the second-factor code is missing or wrong. */
export const needsCode = (error: unknown): boolean =>
  error instanceof WaypostError && error.type === errors.second_factor_required.type

/** Whether the user must do something first, such as set up a second factor. */
export const mustActFirst = (error: unknown): boolean =>
  error instanceof WaypostError &&
  [errors.password_change_required.type, errors.second_factor_setup_required.type].some((type) => type === error.type)

/** Whether the object does not exist or was deleted. */
export const isMissing = (error: unknown): boolean => error instanceof WaypostError && error.status === 404

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
