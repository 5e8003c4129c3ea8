import { ApiError } from '@waypost/platform/api-error'
import { getAgent, listAgents } from '@waypost/store/tables/agents/agents'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { agentOf, disconnect, needAgent, updateAgent } from '../../../agents/agents.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import { requestsOf } from '../lists/credential-requests.ts'
import { createdAfter, pageOfCreated } from '../lists/keyset-page.ts'

export const agents = ({
  storage: { database, clock },
  telemetry: { credentialLog },
}: Pick<Services, 'storage' | 'telemetry'>): Handlers['agents'] => ({
  list: async ({ application, query, position }) => {
    const { limit, grant_id: grantId } = query
    if (grantId !== undefined && !(await getGrant(database, application.id, grantId))) {
      throw new ApiError('grant_not_found')
    }
    const page = { after: createdAfter(position), limit: limit + 1 }
    const rows = await listAgents(database, { applicationId: application.id, grantId }, page)
    return pageOfCreated(rows, limit, (row) => agentOf(row, clock.now()))
  },
  get: async ({ application, params }) =>
    agentOf(await needAgent(database, { applicationId: application.id, id: params.agent_id }), clock.now()),
  update: ({ application, params, body, write }) =>
    write((tx) => updateAgent(tx, { applicationId: application.id, id: params.agent_id }, body, clock.now())),
  requests: async ({ application, params, query, position }) => {
    const { id } = await needAgent(database, { applicationId: application.id, id: params.agent_id })
    return requestsOf(
      { database, credentialLog },
      { applicationId: application.id, credentialId: id },
      { query, position },
    )
  },
  delete: ({ application, params, write }) =>
    write(async (tx) => {
      const at = { applicationId: application.id, id: params.agent_id }
      if (await disconnect(tx, at, clock.now())) return
      if (!(await getAgent(tx, at))) throw new ApiError('not_found', 'the application has no agent with this id')
    }),
})
