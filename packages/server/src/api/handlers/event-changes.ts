/** Writes new and changed events, with their metadata and with conferences that another grant creates. */
import type { Event, EventChange, EventDraft } from '@waypost/contract'
import { unusedZones } from '@waypost/formats/timezones/when'
import { withTextDescription } from '@waypost/providers/calendar/text-description'
import type { EventAddress, Preconditions } from '@waypost/providers/operations'
import { hasEventMetadata } from '@waypost/store/tables/calendars-contacts/object-metadata'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Services } from '../../services/services.ts'
import { tellIgnored } from '../http/ignored-fields.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import type { GrantReading } from '../pipeline/request-operations.ts'
import { conferenceUse } from './conference-use.ts'
import { holderOf, keepMetadata, tagObject } from './metadata.ts'

/** How a request reads events. */
interface EventReading {
  /** Whether the events contain their metadata: those that we store ourselves do. */
  holdsOwn(record: GrantRecord): boolean
  readerOf(context: GrantReading): (at: EventAddress) => Promise<Event>
}

/** The conference of a written event. */
const conferencingIn = ({ conferencing }: Event): Event['conferencing'] => conferencing

const conditionsOf = (headers: { 'if-none-overlap'?: boolean | undefined }): Preconditions => ({
  ifNoneOverlap: headers['if-none-overlap'],
})

export const eventChanges = (
  { storage: { database, clock }, accounts: { conferences } }: Pick<Services, 'storage' | 'accounts'>,
  { holdsOwn, readerOf }: EventReading,
): Pick<Handlers['events'], 'create' | 'update'> => {
  const create = async (context: Parameters<Handlers['events']['create']>[0], body: EventDraft) => {
    const { grant, change, query, headers, once } = context
    if (holdsOwn(grant))
      return change(async (op) => withTextDescription(await op({ ...query, ...conditionsOf(headers) }, body)))
    const { metadata, ...draft } = body
    const at = { ...query, once }
    if (!metadata || Object.keys(metadata).length === 0)
      return change(async (op) => withTextDescription(await op(at, draft)))
    return change(
      (op) => op(at, draft),
      async (tx, event) => withTextDescription(await keepMetadata(tx, grant, event, { metadata, now: clock.now() })),
    )
  }

  const update = async (context: Parameters<Handlers['events']['update']>[0], body: EventChange) => {
    const { grant, change, params, query } = context
    const at = { ...query, ...params }
    if (holdsOwn(grant))
      return change(async (op) => withTextDescription(await op({ ...at, ...conditionsOf(context.headers) }, body)))
    const { metadata, ...fields } = body
    const now = clock.now()
    if (metadata !== undefined) {
      const changes = Object.values(fields).some((value) => value !== undefined)
      return change(
        // Metadata is stored here: the provider only confirms that the event exists.
        (op) => (changes ? op(at, fields) : readerOf(context)(at)),
        async (tx, event) =>
          withTextDescription(await keepMetadata(tx, grant, event, { metadata: metadata ?? {}, now })),
      )
    }
    const plainly = () =>
      change(async (op, queries) => withTextDescription(await tagObject(queries, grant, await op(at, fields))))
    // The metadata of a single event does not become that of a series.
    const repeats = fields.recurrence && fields.recurrence.length > 0
    if (!repeats || !(await hasEventMetadata(database, holderOf(grant), params.event_id))) return plainly()
    const before = await readerOf(context)(at)
    if (before.recurrence !== undefined) return plainly()
    return change(
      (op) => op(at, fields),
      async (tx, event) => withTextDescription(await keepMetadata(tx, grant, event, { metadata: {}, now })),
    )
  }

  return {
    create: (context) => {
      tellIgnored(context.responseHeaders, unusedZones(context.body.when))
      const write = (body: EventDraft) => create(context, body)
      return conferences.place(conferenceUse(context), context.body, write, { conferencingIn })
    },
    update: (context) => {
      tellIgnored(context.responseHeaders, unusedZones(context.body.when))
      const complete = () => readerOf(context)({ ...context.query, ...context.params })
      const write = (body: EventChange) => update(context, body)
      return conferences.place(conferenceUse(context), context.body, write, { complete, conferencingIn })
    },
  }
}
