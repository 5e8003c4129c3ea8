/** A configuration with group events on a virtual calendar, without the routes that make one. */
import type { Configuration } from '@waypost/contract'
import type { GroupAccount, GroupConfiguration } from '../../../src/booking/group-events/group-calendar.ts'
import { createGroupEvent } from '../../../src/booking/group-events/group-events.ts'
import { newId } from '../../../src/lib/ids.ts'
import { insertConfiguration } from '../../../src/store/tables/scheduling/configurations.ts'
import type { TestService } from '../../harness.ts'

export const hour = 3600

export interface Group {
  record: GroupConfiguration
  account: GroupAccount
}

export async function openGroup(service: TestService, email = `${newId()}@group.test`): Promise<Group> {
  const { id: grantId } = await service.createGrant(email)
  const { database, sessions, clock } = service.services
  const applicationId: string = (await service.call('GET', '/v3/applications')).body.data.application_id
  const made = await service.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Courses' } })
  const calendar_id: string = made.body.data.id
  const id = newId()
  const configuration: Configuration = {
    id,
    ...{ name: 'Courses', slug: null, type: 'group', requires_session_auth: false, participants: [] },
    ...{ availability: {}, event_booking: {}, scheduler: {}, appearance: null, embed_origins: [] },
    group_booking: { calendar_id },
  }
  const now = clock.now()
  await insertConfiguration(database, {
    ...{ id, application_id: applicationId, grant_id: grantId, slug: null, name: 'Courses', type: 'group' },
    ...{ requires_session_auth: 0, sealed_document: '', created_at: now, updated_at: now, removed_at: null },
  })
  const grant = await sessions.find(applicationId, { by: 'id', value: grantId })
  const { signal } = new AbortController()
  return {
    record: { id, applicationId, grantId, configuration },
    account: { record: grant, signal: () => signal },
  }
}

export interface NewEvent {
  capacity?: number
  recurrence?: string[]
  /** Unix seconds; default: in two days. */
  start?: number
}

/** Creates a group event of one hour. */
export function addEvent({ services }: TestService, group: Group, { start, ...fields }: NewEvent = {}) {
  const start_time = start ?? Math.floor(services.clock.now() / 1000 / hour) * hour + 48 * hour
  const when = { start_time, end_time: start_time + hour }
  return createGroupEvent(
    services,
    { ...group, once: undefined, transaction: (work) => services.database.transaction(work) },
    {
      calendarId: group.record.configuration.group_booking?.calendar_id ?? '',
      draft: { title: 'Course', when, ...fields },
    },
  )
}
