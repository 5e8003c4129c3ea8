import type { Calendar, CalendarChange, CalendarListQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { needInReach, type ReachingCaller } from '../../grants/caller.ts'
import { isNamed, locatorFor } from '../../grants/locator.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { type GrantReading, useFor } from '../pipeline/request-operations.ts'
import { keepMetadata, tagObject, tagObjects } from './metadata.ts'
import { listTaggedObjects } from './tagged-objects.ts'

/** An empty color means the default, as null does. */
const usualColours = (change: CalendarChange): CalendarChange => ({
  ...change,
  ...(change.hex_color === '' ? { hex_color: null } : {}),
  ...(change.hex_foreground_color === '' ? { hex_foreground_color: null } : {}),
})

export const calendars = ({
  storage: { database, clock },
  accounts: { sessions },
}: Pick<Services, 'storage' | 'accounts'>): Handlers['calendars'] => {
  /** Whether the calendars contain their metadata: those that we store ourselves do. */
  const holdsOwn = (record: GrantRecord): boolean => sessions.providerOf(record, 'calendars.list').local !== undefined
  const readerOf = (context: GrantReading) =>
    sessions.operation(context.grant, { resource: 'calendars', operation: 'get' }, useFor(context, database))

  const listByMetadata = async (context: GrantReading, query: CalendarListQuery, position: JsonValue | undefined) => {
    const read = readerOf(context)
    const request = { database, context, query, position }
    const page = await listTaggedObjects<Calendar>(request, undefined, (calendar_id) => read({ calendar_id }))
    return { ...page, items: await tagObjects(database, context.grant, page.items, query) }
  }

  return {
    list: async (context) => {
      const { grant, op, query, position } = context
      if (holdsOwn(grant)) return op(query, position)
      if (query.metadata_pair !== undefined) return listByMetadata(context, query, position)
      const page = await op(query, position)
      return { ...page, items: await tagObjects(database, grant, page.items, query) }
    },
    get: async ({ grant, op, params }) => {
      const calendar = await op(params)
      return holdsOwn(grant) ? calendar : tagObject(database, grant, calendar)
    },
    create: ({ grant, change, body, once }) => {
      if (holdsOwn(grant)) return change((op) => op(body))
      const { metadata, ...draft } = body
      if (!metadata || Object.keys(metadata).length === 0) return change((op) => op(draft, { once }))
      return change(
        (op) => op(draft, { once }),
        (tx, calendar) => keepMetadata(tx, grant, calendar, { metadata, now: clock.now() }),
      )
    },
    update: (context) => {
      const { grant, change, params } = context
      const body = usualColours(context.body)
      if (holdsOwn(grant)) return change((op) => op(params, body))
      const { metadata, ...fields } = body
      if (metadata === undefined) {
        return change(async (op, queries) => tagObject(queries, grant, await op(params, fields)))
      }
      const changes = Object.values(fields).some((value) => value !== undefined)
      return change(
        // Metadata is stored here: the provider only confirms that the calendar exists.
        (op) => (changes ? op(params, fields) : readerOf(context)(params)),
        (tx, calendar) => keepMetadata(tx, grant, calendar, { metadata: metadata ?? {}, now: clock.now() }),
      )
    },
    delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
    freeBusy: ({ op, body }) => op(body),
  }
}

const create = { resource: 'calendars', operation: 'create' } as const

export const virtualCalendars = ({
  storage: { database },
  accounts: { sessions },
}: Pick<Services, 'storage' | 'accounts'>): Handlers['virtualCalendars'] => {
  /** The named grant, or else the grant of the access token, which cannot name another one. */
  const recordFor = async (caller: ReachingCaller & { grantId?: string }, segment: string | undefined) => {
    const { id, grantId } = caller
    if (grantId !== undefined) {
      const own = await sessions.find(id, { by: 'id', value: grantId })
      if (segment !== undefined && !isNamed(own, segment)) throw new ApiError('grant_access_denied')
      return own
    }
    if (segment === undefined) throw invalidField('grant_id', 'name the virtual account, in the body or the query')
    await needInReach(database, caller, locatorFor(segment))
    return sessions.find(id, locatorFor(segment))
  }
  return {
    create: async (context) => {
      const { application, query, body, write } = context
      const { grant_id: named, ...draft } = body
      const record = await recordFor(application, query.grant_id ?? named ?? undefined)
      // The path is for accounts that we store ourselves.
      if (!sessions.providerOf(record, 'calendars.create').local) {
        throw invalidField('grant_id', 'is not a virtual account: use POST /v3/grants/<grant_id>/calendars')
      }
      return write((tx) => sessions.operation(record, create, useFor(context, tx))(draft))
    },
  }
}

export const roomResources: Handlers['roomResources'] = {
  list: ({ op, query, position }) => op(query, position),
}
