/** A page cursor is valid only for the caller, the route, the grant and the filters that it was made with. */
import { ApiError } from '@waypost/platform/api-error'
import type { Cursors } from '@waypost/platform/cursor'
import type { JsonValue } from '@waypost/platform/json/guard'
import { canonicalJson } from '@waypost/platform/json/values'
import type { RequestContext } from './request-context.ts'

/** Query fields that may change from page to page. */
const unbound = new Set(['limit', 'offset', 'page_token', 'last_event_id', 'select', 'wait'])

/** Names the grant by its id, because `me` in a path is another grant with another access token. */
export function cursorBinding({ served, params, rawQuery, application, grant }: RequestContext): string {
  const filters = Object.fromEntries(Object.entries(rawQuery).filter(([name]) => !unbound.has(name)))
  const bound = grant ? { ...params, grant_id: grant.grant.id } : params
  const holder =
    application?.grantId === undefined || grant ? application?.id : `${application.id} ${application.grantId}`
  return `${holder}\n${served.named.id}\n${canonicalJson(bound)}\n${canonicalJson(filters)}`
}

/** The position in the cursor that a client sent back. */
export function openPosition(cursors: Cursors, context: RequestContext): JsonValue | undefined {
  const [name, token] = cursorOf(context) ?? []
  if (name === undefined || token === undefined) return undefined
  const position = cursors.open(token, cursorBinding(context))
  if (position !== undefined) return position
  const remedy =
    name === 'page_token' ? 'send the next_cursor of the previous page' : 'send the id of the last event that arrived'
  throw new ApiError('invalid_request', `${name}: is not a cursor of this list; ${remedy}, with the same filters`, {
    validationErrors: { [name]: 'is not a cursor of this list' },
  })
}

/** Where a client continues. A browser that reconnects repeats its query, and only the header is newer. */
function cursorOf({ query, headers }: RequestContext): [name: string, token: string] | undefined {
  const given = { 'last-event-id': headers['last-event-id'], ...query }
  for (const name of ['last-event-id', 'last_event_id', 'page_token'] as const) {
    const token: unknown = given[name as keyof typeof given]
    if (typeof token === 'string') return [name, token]
  }
  return undefined
}
