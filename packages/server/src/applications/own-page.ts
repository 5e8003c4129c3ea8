/**
 * Whether a request comes from one of our own pages. Browsers send a session cookie with requests of any page. So the
 * cookie counts only for requests that the browser marks as same-origin (`Sec-Fetch-Site`), or whose `Origin` is ours
 * if that header is missing. Requests that change something need one of the two and must be JSON, which forms of
 * other sites cannot send.
 */
import { ApiError } from '@waypost/platform/api-error'

/** The parts of a request that are checked. */
export interface Visitor {
  method: string
  /** The client's address. */
  address: string
  header(name: string): string | null
}

const reading = new Set(['GET', 'HEAD'])

/** Returns a function that throws unless a request comes from a page of this service. */
export function createOwnPageCheck(base: URL): (visitor: Visitor) => void {
  /** Whether an Origin is ours: that of the base URL, or that of the Host header. */
  const isOwn = (origin: string, host: string | null): boolean =>
    origin === base.origin || (host !== null && URL.parse(origin)?.host === host)

  return ({ method, header }) => {
    const site = header('sec-fetch-site')
    const origin = header('origin')
    // A typed address or a bookmark is `none`.
    const trusted = site === 'same-origin' || (reading.has(method) && site === 'none')
    if (site !== null && !trusted) throw new ApiError('cross_site_request')
    if (origin !== null && !isOwn(origin, header('host'))) throw new ApiError('cross_site_request')
    if (reading.has(method)) return
    if (site === null && origin === null) throw new ApiError('cross_site_request')
    const type = header('content-type')
    const isJson = type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
    const isEmpty = type === null && Number(header('content-length') ?? 0) === 0 && header('transfer-encoding') === null
    if (!isJson && !isEmpty) {
      throw new ApiError(
        'cross_site_request',
        'with a session, what changes something must be sent as application/json',
      )
    }
  }
}
