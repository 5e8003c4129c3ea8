// Page and sync tokens of the People API. A sync token expires seven days after its full sync.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument } from '../errors.ts'

const syncTokenLife = 7 * 24 * 3600 * 1000

export interface Paging {
  /** Only changes after this version. */
  readonly since: number | undefined
  /** The version from which the next sync starts. */
  readonly asOf: number
  readonly offset: number
  readonly pageSize: number
  readonly fullSyncAt: number
}

export interface PagingContext {
  /** The scope of the tokens: the resource and the parameters that must not change. */
  readonly scope: string
  readonly version: number
  readonly validFrom: number
  readonly now: number
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(text: string, name: string): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (isObject(value)) return value
  } catch {
    // Falls through to the error below.
  }
  throw invalidArgument(`Invalid ${name}.`)
}

function sizeOf(query: URLSearchParams, bounds: { fallback: number; max: number }): number {
  const size = Number(query.get('pageSize') ?? 0)
  if (!Number.isInteger(size) || size < 0) throw invalidArgument('Invalid page size.')
  return size === 0 ? bounds.fallback : Math.min(size, bounds.max)
}

export function parsePaging(
  query: URLSearchParams,
  context: PagingContext,
  bounds: { fallback: number; max: number },
): Paging {
  const pageSize = sizeOf(query, bounds)
  const pageText = query.get('pageToken')
  const syncText = query.get('syncToken')
  const sync = syncText === null || syncText === '' ? undefined : readSync(syncText, context)
  if (pageText !== null && pageText !== '') {
    const page = decode(pageText, 'page token')
    if (page.page !== context.scope) throw invalidArgument('Page token does not match the other request parameters.')
    return {
      since: typeof page.since === 'number' ? page.since : undefined,
      asOf: Number(page.asOf),
      offset: Number(page.offset),
      pageSize,
      fullSyncAt: Number(page.fullSyncAt),
    }
  }
  const since = sync === undefined ? undefined : Number(sync.version)
  return { since, asOf: context.version, offset: 0, pageSize, fullSyncAt: Number(sync?.fullSyncAt ?? context.now) }
}

function readSync(text: string, { scope, validFrom, now }: PagingContext): JsonObject {
  const sync = decode(text, 'sync token')
  if (sync.sync !== scope) throw invalidArgument('Sync token does not match the other request parameters.')
  if (Number(sync.version) >= validFrom && Number(sync.fullSyncAt) + syncTokenLife > now) return sync
  throw new GoogleError(
    400,
    'failedPrecondition',
    'Sync token is expired. Clear local cache and retry call without the sync token.',
    {
      status: 'FAILED_PRECONDITION',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'EXPIRED_SYNC_TOKEN',
          domain: 'people.googleapis.com',
        },
      ],
    },
  )
}

export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly nextPageToken?: string
  /** Only on the last page. */
  readonly nextSyncToken?: string
}

export function pageOf<Item>(all: readonly Item[], paging: Paging, scope: string): PageOf<Item> {
  const { since, asOf, offset, pageSize, fullSyncAt } = paging
  const items = all.slice(offset, offset + pageSize)
  if (all.length > offset + pageSize) {
    return { items, nextPageToken: encode({ page: scope, since, asOf, offset: offset + pageSize, fullSyncAt }) }
  }
  return { items, nextSyncToken: encode({ sync: scope, version: asOf, fullSyncAt }) }
}
