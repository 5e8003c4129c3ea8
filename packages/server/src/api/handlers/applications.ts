import { ApiError } from '@waypost/platform/api-error'
import { changeApplication, readApplication } from '../../applications/applications.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

/** A key opens its own application; the id of another one looks like one that does not exist. */
function checkOwn(id: string, named: string | undefined): void {
  if (named !== undefined && named.toLowerCase() !== id) throw new ApiError('not_found')
}

export const applications = ({
  storage: { database, clock },
  administration: { place },
}: Pick<Services, 'storage' | 'administration'>): Handlers['applications'] => ({
  get: ({ application, query }) => {
    checkOwn(application.id, query.application_id)
    return readApplication(database, application.id, place)
  },
  update: ({ application, query, body, write }) => {
    checkOwn(application.id, query.application_id)
    return write(async (tx) => {
      await changeApplication(tx, application.id, body, clock.now())
      return readApplication(tx, application.id, place)
    })
  },
})
