import type { GroupEventChange } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { cancelBookingsAt } from '../../../booking/bookings/bookings.ts'
import { withTextsForGuests } from '../../../booking/bookings/lost-accounts.ts'
import { type ConfigurationRecord, findConfiguration } from '../../../booking/configurations.ts'
import {
  calendarOf,
  createGroupEvent,
  deleteGroupEvent,
  findGroupEventAddress,
  listGroupEvents,
  needGroupEvent,
  updateGroupEventIn,
} from '../../../booking/group-events/group-events.ts'
import { importGroupEvents } from '../../../booking/group-events/import-group-events.ts'
import { inspectEvent, needRoom } from '../../../booking/group-events/seats.ts'
import { findPageVisitor } from '../../../booking/page-visitor.ts'
import { isInReach } from '../../../grants/caller.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import type { GrantReading } from '../../pipeline/request-operations.ts'
import { conferenceUse } from '../conference-use.ts'

const accountOf = (record: GrantRecord, context: Pick<GrantReading, 'signal' | 'calls'>) => ({
  record,
  signal: () => context.signal,
  calls: context.calls,
})

export const groupEvents = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['groupEvents'] => {
  const { database, seals, sessions, conferences } = scheduling

  const needConfiguration = async (applicationId: string, id: string): Promise<ConfigurationRecord> => {
    const record = isUuid(id) ? await findConfiguration({ queries: database, seals }, { applicationId, id }) : undefined
    if (!record || record.removedAt !== null) throw new ApiError('not_found')
    return record
  }

  /** The configuration of a grant route, with the account whose calendar has its events. */
  const requestOf = async (context: GrantReading & { params: { configuration_id: string } }) => {
    const { grant, params } = context
    const record = await needConfiguration(grant.applicationId, params.configuration_id)
    if (record.grantId !== grant.grant.id) throw new ApiError('not_found')
    return { record, account: accountOf(grant, context) }
  }

  return {
    list: async (context) => {
      const { query, position } = context
      const request = await requestOf(context)
      return listGroupEvents(scheduling, request, {
        calendarId: calendarOf(request.record, query.calendar_id),
        start: query.start_time,
        end: query.end_time,
        limit: query.limit,
        position,
        showAll: query.show_all ?? false,
      })
    },
    create: async (context) => {
      const { body, query, once } = context
      const request = await requestOf(context)
      const calendarId = calendarOf(request.record, body.calendar_id ?? query.calendar_id)
      context.reachesProvider()
      const changing = { ...request, once, transaction: context.write }
      const usual = request.record.configuration.group_booking?.conferencing
      const use = body.conferencing ? conferenceUse(context) : { ...conferenceUse(context), mayUse: () => true }
      const draft = { ...body, conferencing: body.conferencing ?? usual ?? undefined }
      return conferences.place(use, draft, (draft) => createGroupEvent(scheduling, changing, { calendarId, draft }))
    },
    update: async (context) => {
      const { body, query, params } = context
      const request = await requestOf(context)
      const calendarId = calendarOf(request.record, query.calendar_id ?? body.calendar_id)
      context.reachesProvider()
      const changing = { ...request, transaction: context.write, notify: query.notify_participants }
      const place = { calendarId, eventId: params.event_id }
      const complete = async () => (await needGroupEvent(scheduling, request, place)).event
      const update = (body: GroupEventChange) => updateGroupEventIn(scheduling, changing, { ...place, body })
      return conferences.place(conferenceUse(context), body, update, { complete })
    },
    delete: async (context) => {
      const { query, params } = context
      const request = await requestOf(context)
      const calendarId = calendarOf(request.record, query.calendar_id)
      context.reachesProvider()
      const changing = { ...request, transaction: context.write, notify: query.notify_participants }
      const place = { calendarId, eventId: params.event_id }
      const at = await findGroupEventAddress(scheduling, request, place)
      const { record: configuration } = request
      await cancelBookingsAt(scheduling, { configuration, at, signal: context.signal })
      await deleteGroupEvent(scheduling, changing, place)
    },
    importForGrant: async (context) =>
      importGroupEvents(scheduling, { ...(await requestOf(context)), transaction: context.write }, context.body),
    import: async (context) => {
      const { application } = context
      const record = await needConfiguration(application.id, context.params.configuration_id)
      if (!(await isInReach(database, application, { by: 'id', value: record.grantId })))
        throw new ApiError('not_found')
      const grant = await sessions.find(record.applicationId, { by: 'id', value: record.grantId })
      const request = { record, account: accountOf(grant, context), transaction: context.write }
      return importGroupEvents(scheduling, request, context.body)
    },
    validateTimeslot: async (context) => {
      const { body, params } = context
      const { application, schedulingSession } = context
      const query = { configuration_id: params.configuration_id }
      const visit = { application, schedulingSession, query }
      const { record } = await findPageVisitor(scheduling, visit)
      calendarOf(record, undefined)
      const poll = withTextsForGuests(async () => {
        const grant = await sessions.find(record.applicationId, { by: 'id', value: record.grantId })
        const chosen = {
          calendarId: body.calendar_id,
          eventId: body.event_id,
          masterId: body.master_id,
          startTime: body.start_time,
          endTime: body.end_time,
        }
        return inspectEvent(scheduling, { record, account: accountOf(grant, context) }, chosen)
      })
      needRoom(await poll(), 1)
    },
  }
}
