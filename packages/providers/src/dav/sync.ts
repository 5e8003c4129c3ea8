/** The changes in a collection: by sync tokens (RFC 6578), or by ETags if a server has none. */
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import { syncBody } from './bodies.ts'
import { providerStatus } from './errors.ts'
import { isInside, isSameCollection } from './hrefs.ts'
import type { DavResponse, MultiStatus } from './multistatus.ts'
import type { DavName } from './names.ts'

export interface SyncResult {
  /** New or changed members; without an ETag if the server sends none. */
  changed: { href: string; etag?: string }[]
  /** Addresses of deleted members. */
  removed: string[]
  token: string
  /** The server has more changes after this token. */
  more: boolean
}

interface Reporting {
  report(url: string, body: string, options: { depth: 0; retries: boolean }): Promise<MultiStatus>
}

interface Finding {
  propfind(url: string, options: { depth: 1; props: readonly DavName[] }): Promise<MultiStatus>
}

/** Answers of servers to an expired token, or without support for tokens. */
const refusing = new Set([400, 403, 405, 409, 410, 412, 415, 422, 500, 501])

/** `expired`: the token is not valid; the members must be listed (`listEtags`) and compared. */
export async function syncCollection(
  { report }: Reporting,
  collection: string,
  token: string | undefined,
): Promise<SyncResult | 'expired'> {
  try {
    const body = syncBody(token, ['D:getetag', 'D:resourcetype'])
    // A server that fails on an unknown token would fail again.
    const answer = await report(collection, body, { depth: 0, retries: false })
    return await readSync(answer, collection, token)
  } catch (error) {
    if (refusing.has(providerStatus(error) ?? 0)) return 'expired'
    throw error
  }
}

async function readSync(
  answer: MultiStatus,
  collection: string,
  token: string | undefined,
): Promise<SyncResult | 'expired'> {
  const { responses, syncToken, truncated } = answer
  if (syncToken === undefined) return 'expired'
  // The same token with more to come would cause an endless loop.
  const more = truncated && syncToken !== token
  const changed: SyncResult['changed'] = []
  const removed: string[] = []
  await forEachYielding(responses, (response) => {
    if (!isMember(response, collection)) return
    if (response.status === 404 || response.status === 410) removed.push(response.href)
    else changed.push(changedOf(response))
  })
  return { changed, removed, token: syncToken, more }
}

const changedOf = ({ href, props }: DavResponse): { href: string; etag?: string } => {
  const etag = props.text('D:getetag')
  return { href, ...(etag ? { etag } : {}) }
}

/**
 * Whether a response is about an object directly in the collection: not the collection itself, not another
 * collection.
 */
const isMember = ({ href, props }: DavResponse, collection: string): boolean =>
  isInside(collection, href) &&
  !isSameCollection(href, collection) &&
  !props.names('D:resourcetype').includes('D:collection')

/** The ETags of a collection by address; '' if the server sends none. */
export async function listEtags({ propfind }: Finding, collection: string): Promise<Map<string, string>> {
  const { responses } = await propfind(collection, { depth: 1, props: ['D:getetag', 'D:resourcetype'] })
  const etags = new Map<string, string>()
  await forEachYielding(responses, (response) => {
    const { href, status = 200, props } = response
    if (status < 300 && isMember(response, collection)) etags.set(href, props.text('D:getetag') ?? '')
  })
  return etags
}
