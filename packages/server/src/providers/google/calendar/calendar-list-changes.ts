/** What happens to the list of an account's calendars. */
import { createHash } from 'node:crypto'
import type { Calendar } from '@waypost/contract'
import { ApiError } from '../../../lib/api-error.ts'
import { list, object, text } from '../../../lib/json/reader.ts'
import type { Change } from '../../provider.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { calendarFields, type GoogleCalendar, googleCalendar } from './calendar-api.ts'
import { fromCalendar } from './mapping/calendar.ts'

export interface ListState {
  token: string
  /** When the token was given, in milliseconds: one that told nothing is kept for a while, so that nothing need be written. */
  taken: number
  /** What is known of each calendar, by its id: what is told when it changes, in short. */
  known: Record<string, string>
  /** What the account may do with each calendar but the main one, by its id; absent in what was kept before. */
  roles?: Record<string, string>
}

/** A calendar that is not in the whole list has been deleted: each of them must be read. */
const readList = object({}, { items: list(googleCalendar), nextPageToken: text, nextSyncToken: text })

const maxPages = 40
export const tokenMs = 21_600_000

/** Name, description, location and zone: a change of anything else is not told. */
const digestOf = ({ name, description, location, timezone }: Calendar): string =>
  createHash('sha256')
    .update(JSON.stringify([name, description, location, timezone]))
    .digest('base64url')
    .slice(0, 10)

/** The whole list, or what changed since a token. */
async function read(session: Session, syncToken?: string): Promise<{ items: GoogleCalendar[]; token: string }> {
  const items: GoogleCalendar[] = []
  let pageToken: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const query = {
      maxResults: 250,
      pageToken,
      syncToken,
      showHidden: syncToken === undefined ? true : undefined,
      fields: `nextPageToken,nextSyncToken,items(${calendarFields})`,
    }
    const answer = await session.call('calendar', 'GET', 'users/me/calendarList', { query, read: readList })
    items.push(...(answer.items ?? []))
    if (answer.nextSyncToken !== undefined) return { items, token: answer.nextSyncToken }
    pageToken = answer.nextPageToken
    if (pageToken === undefined) break
  }
  throw new ApiError('provider_unavailable', 'Google ends its list of calendars without a token; try again')
}

/** What is known after entries were read. */
function rolesAfter(items: readonly GoogleCalendar[], before: Readonly<Record<string, string>> = {}) {
  const roles = new Map(Object.entries(before))
  for (const { id, deleted, primary, accessRole } of items) {
    if (deleted || primary) roles.delete(id)
    else roles.set(id, accessRole ?? 'none')
  }
  return Object.fromEntries(roles)
}

/** What the entries say that is not known yet. */
function tell(session: Session, items: readonly GoogleCalendar[], known: Map<string, string>): Change[] {
  const happenedAt = session.io.clock.now()
  return items.flatMap((item): Change[] => {
    const before = known.get(item.id)
    if (item.deleted) return before === undefined ? [] : [deleted(session, item.id, known)]
    const object = fromCalendar(item, session.grant.id)
    const digest = digestOf(object)
    known.set(item.id, digest)
    if (before === digest) return []
    return [{ trigger: before === undefined ? 'calendar.created' : 'calendar.updated', object, happenedAt }]
  })
}

function deleted(session: Session, id: string, known: Map<string, string>): Change {
  known.delete(id)
  const object = { id, grant_id: session.grant.id, object: 'calendar' as const }
  return { trigger: 'calendar.deleted', object, happenedAt: session.io.clock.now() }
}

/** Compares the whole list with what is known: Google has forgotten the token. */
async function compare(session: Session, before: ListState): Promise<{ changes: Change[]; state: ListState }> {
  const { items, token } = await read(session)
  const known = new Map(Object.entries(before.known))
  const there = new Set(items.map(({ id }) => id))
  const gone = [...known.keys()].filter((id) => !there.has(id)).map((id) => deleted(session, id, known))
  const changes = [...tell(session, items, known), ...gone]
  const roles = rolesAfter(items)
  return { changes, state: { token, taken: session.io.clock.now(), known: Object.fromEntries(known), roles } }
}

export async function listSince(
  session: Session,
  state: ListState | undefined,
): Promise<{ changes: Change[]; state: ListState }> {
  if (!state) {
    const { items, token } = await read(session)
    const known = items.map((item) => [item.id, digestOf(fromCalendar(item, session.grant.id))])
    const taken = session.io.clock.now()
    return { changes: [], state: { token, taken, known: Object.fromEntries(known), roles: rolesAfter(items) } }
  }
  if (!state.roles) return compare(session, state)
  try {
    const { items, token } = await read(session, state.token)
    if (items.length === 0 && session.io.clock.now() - state.taken < tokenMs) return { changes: [], state }
    const known = new Map(Object.entries(state.known))
    const changes = tell(session, items, known)
    const roles = rolesAfter(items, state.roles)
    return { changes, state: { token, taken: session.io.clock.now(), known: Object.fromEntries(known), roles } }
  } catch (error) {
    if (providerStatus(error) === 410) return compare(session, state)
    throw error
  }
}
