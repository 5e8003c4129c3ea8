import type { SchedulingSession } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { lockConfiguration } from '@waypost/store/tables/scheduling/configurations'
import { findConfiguration, findNamedConfiguration } from '../../../booking/configurations.ts'
import {
  createSchedulingSession,
  defaultMinutes,
  endSchedulingSession,
  readSchedulingSession,
} from '../../../booking/scheduling-sessions.ts'
import { isInReach, type ReachingCaller } from '../../../grants/credential-reach.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'

export const schedulingSessions = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['schedulingSessions'] => {
  const { database, clock, seals } = scheduling
  /** Whether the caller may use the grant whose configuration a session opens. */
  const isSeen = async (caller: ReachingCaller, session: SchedulingSession): Promise<boolean> => {
    if (!caller.credential) return true
    const at = { applicationId: caller.id, id: session.configuration_id }
    const record = await findConfiguration({ queries: database, seals }, at)
    return record !== undefined && isInReach(database, caller, { by: 'id', value: record.grantId })
  }
  return {
    create: ({ application, body: { configuration_id: id, slug, time_to_live }, write }) => {
      if (!id && !slug) throw invalidField('configuration_id', 'is required, or slug')
      const { id: applicationId } = application
      return write(async (tx) => {
        const record = await findNamedConfiguration({ queries: tx, seals }, applicationId, { id, slug })
        // A configuration is deleted only while it has no sessions; the lock keeps both apart.
        const isSeen = record && (await isInReach(tx, application, { by: 'id', value: record.grantId }))
        const isOpen = isSeen && (await lockConfiguration(tx, applicationId, record.id))
        if (!isOpen) throw new ApiError('not_found', 'no configuration with this id or slug')
        return createSchedulingSession(tx, record, { now: clock.now(), minutes: time_to_live ?? defaultMinutes })
      })
    },
    get: async ({ application, params }) => {
      const session = await readSchedulingSession(scheduling, application.id, params.session_id)
      if (!session || !(await isSeen(application, session))) throw new ApiError('not_found')
      return session
    },
    delete: async ({ application, params, write }) => {
      const session =
        application.credential && (await readSchedulingSession(scheduling, application.id, params.session_id))
      if (session && !(await isSeen(application, session))) throw new ApiError('not_found')
      return write(async (tx) => {
        const at = { applicationId: application.id, id: params.session_id, now: clock.now() }
        if (!(await endSchedulingSession(tx, at))) throw new ApiError('not_found')
      })
    },
  }
}
