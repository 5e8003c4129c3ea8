/** What a page cursor is good for: the caller, the route, the grant and the filters that it was made with, and no others. */
import type { NamedRoute } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import type { Cursors } from '../../lib/cursor.ts'
import type { JsonValue } from '../../lib/json/guard.ts'
import { canonicalJson } from '../../lib/json/text.ts'
import type { ReadQuery } from '../http/query.ts'
import type { Incoming, Parties } from './request-admission.ts'

/** Not part of what a cursor is bound to: they may change from page to page. */
const free = new Set(['limit', 'offset', 'page_token', 'select', 'wait'])

/** A grant is bound by its id, whatever the path calls it: `me` is another one with another access token. */
export function cursorBinding(
  named: NamedRoute,
  { incoming, caller, grant, query }: Pick<Parties, 'caller' | 'grant'> & { incoming: Incoming; query: ReadQuery },
): string {
  query.filters ??= canonicalJson(Object.fromEntries(Object.entries(query.raw).filter(([name]) => !free.has(name))))
  const params = grant ? { ...incoming.params, grant_id: grant.grant.id } : incoming.params
  const holder = caller?.grantId === undefined || grant ? caller?.id : `${caller.id} ${caller.grantId}`
  return `${holder}\n${named.id}\n${canonicalJson(params)}\n${query.filters}`
}

/** The position in the cursor that a client sent back. */
export function openPosition(cursors: Cursors, token: unknown, binding: () => string): JsonValue | undefined {
  if (typeof token !== 'string') return undefined
  const position = cursors.open(token, binding())
  if (position !== undefined) return position
  throw new ApiError(
    'invalid_request',
    'page_token: is not a cursor of this list; send the next_cursor of the page before, with the same filters',
    { validationErrors: { page_token: 'is not a cursor of this list' } },
  )
}
