import { findConfiguration, findConfigurationBySlug } from '../../../booking/configurations.ts'
import {
  createSchedulingSession,
  defaultMinutes,
  endSchedulingSession,
  readSchedulingSession,
} from '../../../booking/scheduling-sessions.ts'
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import type { Services } from '../../../services/services.ts'
import { lockConfiguration } from '../../../store/tables/scheduling/configurations.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'

export const schedulingSessions = (services: Services): Handlers['schedulingSessions'] => {
  const { clock, seals } = services
  return {
    create: ({ application: { id: applicationId }, body: { configuration_id: id, slug, time_to_live }, write }) => {
      if (!id && !slug) throw invalidField('configuration_id', 'is required, or slug')
      return write(async (tx) => {
        const reading = { queries: tx, seals }
        const record = id
          ? await findConfiguration(reading, { applicationId, id })
          : await findConfigurationBySlug(reading, { applicationId, slug: slug ?? '' })
        // A configuration is deleted only while it has no sessions; the lock keeps both apart.
        const isOpen = record !== undefined && (await lockConfiguration(tx, applicationId, record.id))
        if (!isOpen) throw new ApiError('not_found', 'no configuration with this id or slug')
        return createSchedulingSession(tx, record, { now: clock.now(), minutes: time_to_live ?? defaultMinutes })
      })
    },
    get: async ({ application, params }) => {
      const session = await readSchedulingSession(services, application.id, params.session_id)
      if (!session) throw new ApiError('not_found')
      return session
    },
    delete: ({ application, params, write }) =>
      write(async (tx) => {
        const at = { applicationId: application.id, id: params.session_id, now: clock.now() }
        if (!(await endSchedulingSession(tx, at))) throw new ApiError('not_found')
      }),
  }
}
