import { changeApplication, readApplication } from '../../applications/applications.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../context.ts'

export const applications = ({ database, clock, place }: Services): Handlers['applications'] => ({
  get: ({ application }) => readApplication(database, application.id, place),
  update: ({ application, body, write }) =>
    write(async (tx) => {
      await changeApplication(tx, application.id, body, clock.now())
      return readApplication(tx, application.id, place)
    }),
})
