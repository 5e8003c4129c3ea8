/**
 * Creates the conference of an event through another grant of the application. The conference exists before its event, and
 * the event describes it as an existing one, so that every kind of calendar can have it:
 *
 *   order ──▶ conference created at its provider ──▶ event written with its address
 *                                                       └─ refused: the conference is removed again
 *
 * An error that leaves open whether the event exists removes nothing, because the event would lead to a missing meeting.
 */
import type { Conferencing, Event, EventChange, Grant } from '@waypost/contract'
import { normaliseWhen } from '@waypost/formats/timezones/when'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { isObject } from '@waypost/platform/json/values'
import type { Log } from '@waypost/platform/log'
import { checkConferencing } from '@waypost/providers/calendar/event-input'
import type { ConferenceDraft, Conferences as ConferenceTable, MadeConference } from '@waypost/providers/conferences'
import { findAdapter, type Providers } from '@waypost/providers/registry'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant, type GrantRecord } from '@waypost/store/tables/grants/grants'
import { accountKey, parseLocator } from '../grants/locator.ts'
import type { Sessions, Use } from '../grants/sessions.ts'
import { isDefinite } from '../outbox/recorded-work.ts'

interface ConferenceTools {
  database: Queries
  sessions: Pick<Sessions, 'usable' | 'open' | 'judge'>
  providers: Providers
  log: Log
}

/** On whose behalf a conference is created. */
export interface ConferenceUse {
  /** The account of the event. */
  account: GrantRecord
  /** Whether the caller may use another grant of the application. */
  mayUse(grant: Grant): boolean
  signal(): AbortSignal
  /** An earlier attempt may have created the event already. */
  again?: boolean | undefined
}

type Conferenced = Pick<EventChange, 'title' | 'recurrence' | 'conferencing'> & { when?: EventChange['when'] | null }

/** A created conference. */
export interface Ordered {
  conferencing: Conferencing
  /** Removes it, if it can be removed; never fails. */
  remove(): Promise<void>
  /** Removes it if an earlier attempt of the work has written the event with a conference of its own. */
  removeUnlessIn(written: Pick<Event, 'conferencing'>): Promise<void>
}

/** Time for removing a conference, after the request that created it may have ended. */
const removalMs = 20_000

const grantField = 'conferencing.autocreate.conf_grant_id'

/** The provider that creates each conference. */
const kinds: Record<ConferenceName, string> = {
  'Google Meet': 'google',
  'Microsoft Teams': 'microsoft',
  'Zoom Meeting': 'zoom',
}

const unknownGrant = (): ApiError =>
  invalidField(grantField, 'names no grant of this application that this credential may use')

interface Creator {
  order: ConferenceOrder
  record: GrantRecord
  table: ConferenceTable<unknown>
}

/** The grant that creates the conference; undefined if the request orders none. Throws if it cannot be used. */
async function creatorOf(
  { database, providers, sessions }: ConferenceTools,
  { account, mayUse }: Pick<ConferenceUse, 'account' | 'mayUse'>,
  conferencing: Conferencing | null | undefined,
): Promise<Creator | undefined> {
  const own = findAdapter(providers, account.grant)
  const order = orderIn(conferencing, { kind: account.grant.provider, creates: own?.conferences?.name })
  if (!order) return undefined
  const locator = parseLocator(order.grant)
  if (!locator || locator.by === 'me') throw unknownGrant()
  const isPlain = locator.by === 'email' && !locator.value.startsWith(`${kinds[order.name]}:`)
  const at = isPlain ? { by: 'email' as const, value: accountKey(kinds[order.name], locator.value) } : locator
  const record = await findGrant(database, account.applicationId, at)
  if (!record || !mayUse(record.grant)) throw unknownGrant()
  const { id, provider } = record.grant
  const table = findAdapter(providers, record.grant)?.conferences
  if (table?.name !== order.name) {
    throw invalidField(grantField, `the grant ${id} of provider ${provider} does not create a ${order.name}`)
  }
  try {
    sessions.usable(record)
  } catch (error) {
    throw failed(error, order, id)
  }
  return { order, record, table }
}

/** Names the grant in an error. An invalid grant is not the one of the request, so the field is invalid. */
function failed(error: unknown, { name }: ConferenceOrder, id: string): unknown {
  if (!(error instanceof ApiError)) return error
  const message = `the ${name} could not be created through the grant ${id}: ${error.message}`
  const ofGrant = ['grant_invalid', 'grant_blocked', 'grant_not_found'].includes(error.code)
  if (ofGrant) {
    return new ApiError('invalid_request', `${grantField}: ${message}`, {
      ...error.details,
      validationErrors: { [grantField]: message },
      cause: error,
    })
  }
  return new ApiError(error.code, message, { ...error.details, cause: error })
}

export interface Conferences {
  /** Throws what `order` would throw before it calls a provider. */
  check(use: Pick<ConferenceUse, 'account' | 'mayUse'>, conferencing: Conferencing | null | undefined): Promise<void>
  /** Creates the conference that an event orders; undefined if it orders none. `complete` adds missing fields of it. */
  order(use: ConferenceUse, event: Conferenced, complete?: () => Promise<Conferenced>): Promise<Ordered | undefined>
  /**
   * Writes an event whose conference exists. If the event is refused, the conference is removed. `conferencingIn` returns
   * the conference of the written event.
   */
  place<B extends Conferenced, T>(
    use: ConferenceUse,
    body: B,
    write: (body: B) => Promise<T>,
    more?: { complete?: () => Promise<Conferenced>; conferencingIn?: (written: T) => Event['conferencing'] },
  ): Promise<T>
}

export function createConferences(tools: ConferenceTools): Conferences {
  const { sessions, database, log } = tools
  const openFor = (record: GrantRecord, signal: () => AbortSignal): unknown => {
    const use: Use = { queries: database, signal, responseHeaders: {} }
    return sessions.open(record, 'conferences.create', use)
  }

  const removing =
    ({ record, table }: Creator, made: MadeConference) =>
    async (): Promise<void> => {
      const at = { application_id: record.applicationId, grant_id: record.grant.id, conference: table.name }
      try {
        await table.remove?.(
          openFor(record, () => AbortSignal.timeout(removalMs)),
          made.id,
        )
        log.info(at, 'the conference of an event that was not written was removed')
      } catch (error) {
        log.warn({ ...at, error }, 'the conference of an event that was not written could not be removed')
      }
    }

  const order: Conferences['order'] = async (use, event, complete) => {
    const creator = await creatorOf(tools, use, event.conferencing)
    if (!creator) return undefined
    const { record, table } = creator
    const lacks = event.when === undefined || event.title === undefined
    const whole = lacks && complete ? { ...(await complete()), ...withoutUndefined(event) } : event
    try {
      const draft = draftFor(whole, creator.order.settings)
      const made = await table.create(openFor(record, use.signal), draft)
      const conferencing: Conferencing = { provider: table.name, details: made.details }
      const remove = removing(creator, made)
      return {
        conferencing,
        remove,
        async removeUnlessIn(written) {
          const url = written.conferencing?.details?.url
          if (use.again && url !== undefined && url !== conferencing.details?.url) await remove()
        },
      }
    } catch (error) {
      throw failed(await sessions.judge(record, error), creator.order, record.grant.id)
    }
  }

  return {
    check: async (use, conferencing) => void (await creatorOf(tools, use, conferencing)),
    order,
    async place(use, body, write, { complete, conferencingIn } = {}) {
      const ordered = await order(use, body, complete)
      if (!ordered) return write(body)
      try {
        const written = await write({ ...body, conferencing: ordered.conferencing })
        await ordered.removeUnlessIn({ conferencing: conferencingIn?.(written) })
        return written
      } catch (error) {
        if (isDefinite(error)) await ordered.remove()
        throw error
      }
    },
  }
}

const withoutUndefined = (event: Conferenced): Conferenced =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined))

type ConferenceName = ConferenceTable<never>['name']

const names: readonly ConferenceName[] = ['Google Meet', 'Microsoft Teams', 'Zoom Meeting']
const maxSettings = 16_384
const field = 'conferencing.autocreate'

/** A conference that a request orders from another grant: `conferencing.autocreate` with `conf_grant_id`. */
interface ConferenceOrder {
  name: ConferenceName
  /** As the client wrote it: an id, an address or another locator. */
  grant: string
  settings: Readonly<Record<string, unknown>>
}

/** The conference to order. Undefined if the account of the event creates it itself, or if there is none to create. */
function orderIn(
  conferencing: Conferencing | null | undefined,
  account: { kind: string; creates: ConferenceName | undefined },
): ConferenceOrder | undefined {
  if (!conferencing?.autocreate) return undefined
  checkConferencing(conferencing)
  const { provider = '', autocreate } = conferencing
  const name = provider === 'Teams for Business' ? 'Microsoft Teams' : names.find((each) => each === provider)
  if (!name) throw invalidField('conferencing.provider', `must be ${names.join(', ')} with autocreate`)
  const { conf_grant_id: grant, conf_settings: given } = autocreate
  if (grant === undefined || grant === null) {
    if (name === account.creates) return undefined
    const own = account.creates ? `only ${account.creates}` : 'no conference'
    const problem = `is required: ${account.kind} creates ${own} itself, so name the grant that creates a ${name}`
    throw invalidField(`${field}.conf_grant_id`, problem)
  }
  if (typeof grant !== 'string') throw invalidField(`${field}.conf_grant_id`, 'must be a text')
  const settings = given ?? {}
  if (!isObject(settings)) throw invalidField(`${field}.conf_settings`, 'must be an object')
  if (Buffer.byteLength(JSON.stringify(settings)) > maxSettings) {
    throw invalidField(`${field}.conf_settings`, `must not be larger than ${maxSettings} bytes as JSON`)
  }
  return { name, grant, settings }
}

/** What the conference has of its event. A series and whole days have no time that a conference could have. */
function draftFor(
  { title, when, recurrence }: Pick<EventChange, 'title' | 'recurrence'> & { when?: EventChange['when'] | null },
  settings: Readonly<Record<string, unknown>>,
): ConferenceDraft {
  const read = when && normaliseWhen(when)
  const repeats = (recurrence?.length ?? 0) > 0
  const span = read?.ok && read.when.object === 'timespan' && !repeats ? read.when : undefined
  return {
    title: title ?? '',
    ...(span ? { time: { start: span.start_time, end: span.end_time } } : {}),
    settings,
  }
}
