/**
 * Whether a request is of one of our own pages. Browsers send the cookie of a session with whatever a page asks for,
 * whoever wrote the page. So it counts only for requests that the browser says are of this very origin
 * (`Sec-Fetch-Site`), or whose `Origin` is ours where it does not say; what changes something must say one of the two,
 * and be JSON, which no form of another site can send.
 */
import { ApiError } from '../lib/api-error.ts'

/** What is asked of a request. */
export interface Visitor {
  method: string
  /** Where it comes from. */
  address: string
  header(name: string): string | null
}

const reading = new Set(['GET', 'HEAD'])

/** What throws unless a request is of a page of this service. */
export function createOwnPageCheck(base: URL): (visitor: Visitor) => void {
  /** Whether an Origin is this service's: the one of its base address, or that of the address it was called by. */
  const isOwn = (origin: string, host: string | null): boolean =>
    origin === base.origin || (host !== null && URL.parse(origin)?.host === host)

  return ({ method, header }) => {
    const site = header('sec-fetch-site')
    const origin = header('origin')
    // An address that somebody typed, or a bookmark, is `none`.
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
