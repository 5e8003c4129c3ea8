/** The application of an API key, and its redirect URIs. */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { deleteRedirectUri, listRedirectUris } from '@waypost/store/tables/applications/redirect-uris'
import { changeApplication, needApplication, readApplication, refreshOrigins } from '../../applications/applications.ts'
import {
  changeRedirectUri,
  createRedirectUri,
  needRedirectUri,
  redirectUriOf,
} from '../../applications/redirect-uris.ts'
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

export const redirectUris = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['redirectUris'] => {
  const rulesOf = async (tx: Queries, applicationId: string) => {
    const settings = JSON.parse((await needApplication(tx, applicationId)).additional_settings)
    return { allowQuery: settings.allow_query_param_in_redirect_uri === true, now: clock.now() }
  }
  return {
    list: async ({ application }) => (await listRedirectUris(database, application.id)).map(redirectUriOf),
    create: ({ application, body, write }) =>
      write(async (tx) => {
        await lockApplication(tx, application.id)
        const created = await createRedirectUri(tx, application.id, body, await rulesOf(tx, application.id))
        await refreshOrigins(tx, application.id)
        return created
      }),
    get: async ({ application, params }) => redirectUriOf(await needRedirectUri(database, application.id, params.id)),
    update: ({ application, params, body, write }) =>
      write(async (tx) => {
        await lockApplication(tx, application.id)
        const row = await needRedirectUri(tx, application.id, params.id)
        const changed = await changeRedirectUri(tx, row, body, await rulesOf(tx, application.id))
        await refreshOrigins(tx, application.id)
        return changed
      }),
    delete: ({ application, params, write }) =>
      write(async (tx) => {
        await lockApplication(tx, application.id)
        const row = await needRedirectUri(tx, application.id, params.id)
        await deleteRedirectUri(tx, application.id, row.id)
        await refreshOrigins(tx, application.id)
      }),
  }
}
