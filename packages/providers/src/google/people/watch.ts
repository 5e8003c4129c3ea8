/**
 * Changes of the contacts of the address book. Google returns changes since a sync token, with some delay, and has no
 * push for them, so it is polled every five minutes. A sync token expires after a week. Contacts that changed since
 * the last poll are then recognized by their dates; deletions in that time are not noticed.
 */

import { ApiError } from '@waypost/platform/api-error'
import { object, type Reader, readableItems, text } from '@waypost/platform/json/reader'
import type { Change } from '../../provider.ts'
import { pagesOf } from '../../shared/paging.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import { hasAnyScope, type PartFound, pacedPart } from '../../shared/watched-parts.ts'
import type { Session } from '../session.ts'
import { contactId, fromPerson } from './mapping/contact.ts'
import { type ContactDates, contactDates, type GoogleContact, googleContact, personFields } from './people-api.ts'

export interface ContactsState {
  token: string
  /** The next page of a sync. */
  page?: string
  /**
   * When the token was issued, in milliseconds. A token without changes is reused for a while, so that nothing is
   * written.
   */
  taken: number
  /** The newest notified change, in milliseconds of Google's clock. */
  told: number
}

const pageTokens = { nextPageToken: text, nextSyncToken: text }
const contactPage = object({}, { ...pageTokens, connections: readableItems(googleContact) })
const datePage = object({}, { ...pageTokens, connections: readableItems(contactDates) })
interface Answer<T> {
  connections?: T[]
  nextPageToken?: string
  nextSyncToken?: string
}

const everySeconds = 300
/** Google forgets tokens after a week; they are renewed every day. */
const tokenMs = 86_400_000
const pageSize = 1000
const maxPages = 100
const bytesOfPage = 32 * 1024 * 1024
const scopes = new Set(['contacts', 'contacts.readonly'].map((name) => `https://www.googleapis.com/auth/${name}`))

interface Listing<T> {
  read: Reader<Answer<T>>
  /** The fields of the answer; all if absent. */
  fields?: string
}

const list = <T>(
  session: Session,
  query: Record<string, string | undefined>,
  { read, fields }: Listing<T>,
): Promise<Answer<T>> =>
  session.call('people', 'GET', 'people/me/connections', {
    read,
    query: { ...query, requestSyncToken: true, personFields, pageSize, fields },
    maxBytes: bytesOfPage,
  })

const changedAt = ({ metadata }: ContactDates): number =>
  Math.max(0, ...(metadata?.sources ?? []).map(({ updateTime }) => Date.parse(updateTime ?? '') || 0))

function tell(session: Session, person: GoogleContact): Change {
  const now = session.io.clock.now()
  const { resourceName, metadata } = person
  if (metadata?.deleted) {
    const object = { id: contactId(resourceName), grant_id: session.grant.id, object: 'contact' as const }
    return { trigger: 'contact.deleted', object, happenedAt: now }
  }
  // Google's clock may be behind: the changes happened after the token was issued.
  return { trigger: 'contact.updated', object: fromPerson(person, session.grant.id), happenedAt: now }
}

const newestOf = (people: readonly ContactDates[], least: number): number =>
  people.reduce((newest, person) => Math.max(newest, changedAt(person)), least)

/** Reads the whole list for its token; `seen` receives the contacts of each page. */
async function readAll<T>(session: Session, listing: Listing<T>, seen: (people: T[]) => void): Promise<string> {
  const answers = pagesOf(maxPages, (pageToken) => list(session, { pageToken }, listing))
  for await (const { connections = [], nextSyncToken } of answers) {
    seen(connections)
    if (nextSyncToken !== undefined) return nextSyncToken
  }
  throw new ApiError('provider_unavailable', 'Google ends its list of contacts without a token; try again')
}

async function begin(session: Session, now: number): Promise<PartFound<ContactsState>> {
  let told = 0
  const fields = 'nextPageToken,nextSyncToken,connections(metadata(sources(updateTime)))'
  const token = await readAll(session, { read: datePage, fields }, (people) => {
    told = newestOf(people, told)
  })
  return { changes: [], state: { token, taken: now, told }, again: everySeconds }
}

/** Contacts that changed since the newest notified change. */
async function findByDate(session: Session, state: ContactsState, now: number): Promise<PartFound<ContactsState>> {
  const missed: GoogleContact[] = []
  let told = state.told
  const fields = 'nextPageToken,nextSyncToken,connections'
  const token = await readAll(session, { read: contactPage, fields }, (people) => {
    missed.push(...people.filter((person) => changedAt(person) > state.told))
    told = newestOf(people, told)
  })
  return {
    changes: missed.map((person) => tell(session, person)),
    state: { token, taken: now, told },
    again: everySeconds,
  }
}

const isForgotten = (error: unknown): boolean =>
  providerStatus(error) === 410 ||
  (error instanceof ApiError &&
    providerStatus(error) === 400 &&
    /sync ?token/i.test(`${providerReason(error)} ${error.message}`))

const since = (session: Session, state: ContactsState | undefined): Promise<PartFound<ContactsState>> => {
  const now = session.io.clock.now()
  return state ? resume(session, state, now) : begin(session, now)
}

async function resume(session: Session, state: ContactsState, now: number): Promise<PartFound<ContactsState>> {
  try {
    const query = { syncToken: state.token, pageToken: state.page }
    const answer = await list(session, query, { read: contactPage })
    const people = answer.connections ?? []
    const { nextPageToken: page, nextSyncToken: token = state.token } = answer
    const isQuiet = people.length === 0 && page === undefined && state.page === undefined
    if (isQuiet && now - state.taken < tokenMs) return { changes: [], state, again: everySeconds }
    const changes = people.map((person) => tell(session, person))
    const told = newestOf(people, state.told)
    if (page !== undefined) return { changes, state: { token, page, taken: state.taken, told }, more: true }
    return { changes, state: { token, taken: now, told }, again: everySeconds }
  } catch (error) {
    if (isForgotten(error)) return findByDate(session, state, now)
    throw error
  }
}

export const contacts = pacedPart<Session, ContactsState>({
  name: 'contacts',
  polled: true,
  isWatched: (session) => hasAnyScope(session, scopes),
  since,
})
