/** CORS headers: which origins may read an answer. */
import type { Database } from '@waypost/store/engine/database'
import { isKnownOrigin, isOriginOf } from '@waypost/store/tables/applications/applications'

export const corsAllowHeaders =
  'authorization, content-type, last-event-id, range, idempotency-key, if-none-overlap, x-waypost-application, x-nylas-connect, x-nylas-application-public-id, x-nylas-web-elements-version, x-source, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name'

const exposed =
  'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotent-response, x-ignored-fields, x-unreadable-messages, x-dropped-occurrences, content-disposition, content-range, accept-ranges, next-cursor, x-skipped, x-provider-request-count, nylas-provider-request-count, x-google-quota-units, nylas-gmail-quota-usage, mcp-session-id, www-authenticate'

/**
 * Booking pages stand on any site, so every origin may read the answers of guest routes. Browsers send no cookies to `*`,
 * so a page sees only what a stranger sees.
 */
export const openCors: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
}

/**
 * An answer to an application is readable by the origins that it registered; without a key, by any registered origin.
 */
export async function corsHeaders(
  { database }: { database: Database },
  origin: string,
  applicationId?: string,
): Promise<Record<string, string>> {
  const poll =
    applicationId === undefined ? isKnownOrigin(database, origin) : isOriginOf(database, applicationId, origin)
  const known = await poll.catch(() => false)
  return known
    ? { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'Origin' }
    : { vary: 'Origin' }
}
