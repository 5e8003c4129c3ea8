/** Changes of the list of calendars of an account. */

import { ApiError } from '@waypost/platform/api-error'
import { list, object, text } from '@waypost/platform/json/reader'
import type { Change } from '../../provider.ts'
import { listChanges, recordedDigest } from '../../shared/list-changes.ts'
import { pagesOf } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { calendarFields, type GoogleCalendar, googleCalendar } from './calendar-api.ts'
import { fromCalendar } from './mapping/calendar.ts'

export interface ListState {
  token: string
  /**
   * When the token was issued, in milliseconds. A token without changes is reused for a while, so that nothing is
   * written.
   */
  taken: number
  /** A digest of the notified fields of each calendar, by id. */
  known: Record<string, string>
  /** The access role of each calendar except the primary one, by id; absent in cursors of former versions. */
  roles?: Record<string, string>
}

/** Every calendar must be readable, because one that is missing in the whole list counts as deleted. */
const readList = object({}, { items: list(googleCalendar), nextPageToken: text, nextSyncToken: text })

const maxPages = 40
export const tokenMs = 21_600_000

/** The whole list, or the changes since a token. */
async function read(session: Session, syncToken?: string): Promise<{ items: GoogleCalendar[]; token: string }> {
  const items: GoogleCalendar[] = []
  const answers = pagesOf(maxPages, (pageToken) => {
    const query = {
      maxResults: 250,
      pageToken,
      syncToken,
      showHidden: syncToken === undefined ? true : undefined,
      fields: `nextPageToken,nextSyncToken,items(${calendarFields})`,
    }
    return session.call('calendar', 'GET', 'users/me/calendarList', { query, read: readList })
  })
  for await (const { items: some = [], nextSyncToken: token } of answers) {
    items.push(...some)
    if (token !== undefined) return { items, token }
  }
  throw new ApiError('provider_unavailable', 'Google ends its list of calendars without a token; try again')
}

/** The access roles after these entries. */
function rolesAfter(items: readonly GoogleCalendar[], before: Readonly<Record<string, string>> = {}) {
  const roles = new Map(Object.entries(before))
  for (const { id, deleted, primary, accessRole } of items) {
    if (deleted || primary) roles.delete(id)
    else roles.set(id, accessRole ?? 'none')
  }
  return Object.fromEntries(roles)
}

/** Notifies what differs from the recorded calendars, and records the calendars as they are now. */
function changesIn(
  { grant, io }: Session,
  before: ListState,
  { items, isWhole }: { items: readonly GoogleCalendar[]; isWhole: boolean },
): { changes: Change[]; recorded: Record<string, string> } {
  const listed = items.filter(({ deleted }) => !deleted).map((item) => fromCalendar(item, grant.id))
  const recorded = Object.entries(before.known).map(([id, digest]) => [id, { digest }] as const)
  const deleted = items.flatMap((item) => (item.deleted ? [item.id] : []))
  const changes = listChanges({
    kind: 'calendar',
    grantId: grant.id,
    happenedAt: io.clock.now(),
    recorded: new Map(recorded),
    listed,
    ...(isWhole ? {} : { deleted }),
  })
  const after = new Map([
    ...(isWhole ? [] : Object.entries(before.known)),
    ...listed.map((calendar) => [calendar.id, recordedDigest(calendar)] as const),
  ])
  for (const id of deleted) after.delete(id)
  return { changes, recorded: Object.fromEntries(after) }
}

/** Compares the whole list with the recorded calendars, after Google has forgotten the token. */
async function compareAll(session: Session, before: ListState): Promise<{ changes: Change[]; state: ListState }> {
  const { items, token } = await read(session)
  const { changes, recorded: known } = changesIn(session, before, { items, isWhole: true })
  return { changes, state: { token, taken: session.io.clock.now(), known, roles: rolesAfter(items) } }
}

export async function listSince(
  session: Session,
  state: ListState | undefined,
): Promise<{ changes: Change[]; state: ListState }> {
  if (!state) {
    const { items, token } = await read(session)
    const known = items.map((item) => [item.id, recordedDigest(fromCalendar(item, session.grant.id))])
    const taken = session.io.clock.now()
    return { changes: [], state: { token, taken, known: Object.fromEntries(known), roles: rolesAfter(items) } }
  }
  if (!state.roles) return compareAll(session, state)
  try {
    const { items, token } = await read(session, state.token)
    if (items.length === 0 && session.io.clock.now() - state.taken < tokenMs) return { changes: [], state }
    const { changes, recorded: known } = changesIn(session, state, { items, isWhole: false })
    const roles = rolesAfter(items, state.roles)
    return { changes, state: { token, taken: session.io.clock.now(), known, roles } }
  } catch (error) {
    if (providerStatus(error) === 410) return compareAll(session, state)
    throw error
  }
}
