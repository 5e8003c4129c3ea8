import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { mailboxOf } from '../../grants/locator.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

export const schedules = ({ mail: { sending } }: Pick<Services, 'mail'>): Handlers['schedules'] => ({
  list: ({ grant }) => sending.listSchedules(mailboxOf(grant)),
  get: async ({ grant, params }) => {
    const schedule = await sending.getSchedule(mailboxOf(grant), params.schedule_id)
    if (!schedule) throw new ApiError('not_found')
    return schedule
  },
  delete: ({ grant, params, write }) =>
    write(async (tx) => {
      const outcome = await sending.cancelSchedule(tx, mailboxOf(grant), params.schedule_id)
      if (outcome === 'not found') throw new ApiError('not_found')
      if (outcome === 'too late') {
        const message = `a message can be stopped until ${limits.scheduleStopSeconds} seconds before its time; this one is under way or was sent`
        throw new ApiError('conflict', message)
      }
      return { message: 'requested cancelation for workflow' }
    }),
})
