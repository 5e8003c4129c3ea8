/** Agents: assistants that an end user or an administrator connected to the MCP endpoint. */
import { z } from 'zod'
import {
  CreatedAt,
  choiceParam,
  cursorPaging,
  GrantId,
  Id,
  integerParam,
  line,
  selectParam,
  Timestamp,
  textParam,
} from '../fields.ts'
import { limitingObject } from '../limiting.ts'
import { route } from '../route.ts'
import { KeyRights } from './key-rights.ts'

export const Agent = z
  .object({
    id: Id.meta({ description: 'Id of the agent' }),
    object: z.literal('agent').meta({ description: 'Always `agent`' }),
    name: z.string().meta({ description: 'Name that the client gave itself' }),
    client_id: z
      .string()
      .meta({ description: 'OAuth client id: a registered id, or the URL of its metadata document' }),
    client_uri: z.string().nullable().meta({ description: 'Web page of the client; null if it named none' }),
    rights: KeyRights,
    grant_ids: z.array(GrantId).meta({ description: 'The grants that it may use' }),
    connected_by: z.string().meta({ description: 'Who connected it: the address of the account, or an administrator' }),
    status: z.enum(['active', 'disconnected']).meta({ description: 'Whether its tokens work' }),
    last_used_at: Timestamp.nullable().meta({ description: 'Time of the last call in Unix seconds; null if never' }),
    created_at: CreatedAt,
  })
  .meta({ id: 'Agent', description: 'A connected agent' })
export type Agent = z.output<typeof Agent>

/** One request of a restricted key or an agent. Without bodies. */
export const CredentialRequest = z
  .object({
    id: Id.meta({ description: 'Id of the request, as in `request_id`' }),
    method: z.string().meta({ description: 'HTTP method, or `MCP` for a tool call' }),
    operation: z.string().meta({ description: 'Operation of the API, such as `messages.list`' }),
    tool: z.string().nullable().meta({ description: 'MCP tool; null for a plain API call' }),
    status: z.int().meta({ description: 'HTTP status of the answer' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Error code, such as `missing_right`; null if the request succeeded' }),
    grant_id: GrantId.nullable().meta({ description: 'The grant; null for requests of the application' }),
    time: Timestamp.meta({ description: 'Time in Unix seconds' }),
  })
  .meta({ id: 'CredentialRequest', description: 'One request of a restricted API key or an agent' })
export type CredentialRequest = z.output<typeof CredentialRequest>

/** The query of the request log of a credential. */
export const credentialRequestQuery = z.object({
  ...cursorPaging(),
  outcome: choiceParam(['succeeded', 'failed']).meta({
    description: '`succeeded`: only requests with a status below 400; `failed`: only the others',
  }),
  status: integerParam({ min: 100, max: 599 }).meta({ description: 'Only requests with this HTTP status' }),
  grant_id: textParam().meta({ description: 'Only requests about this grant' }),
})

export const AgentChange = limitingObject({
  name: line(200).min(1).meta({ description: 'Name of the agent, up to 200 characters' }),
  rights: KeyRights.meta({
    description:
      'All rights of the agent from the next request on. They can be fewer than the person agreed to, never more: connect the agent again for more. Without `grants`, its grants stay',
  }),
})
  .partial()
  .meta({ id: 'AgentChange', description: 'Changes to an agent. Absent fields stay unchanged.' })
export type AgentChange = z.output<typeof AgentChange>

/** Agents are connected through OAuth, so there is no route that creates one. */
export const agents = {
  list: route({
    right: 'never',
    method: 'GET',
    path: '/v3/agents',
    audience: 'application',
    summary: 'List agents',
    description: 'The agents that people connected to the MCP endpoint of the application, oldest first.',
    query: z.object({
      ...cursorPaging(),
      ...selectParam,
      grant_id: Id.optional().meta({ description: 'Only agents that may use this grant' }),
    }),
    returns: Agent,
    list: 'cursor',
    errors: ['grant_not_found'],
  }),
  get: route({
    right: 'never',
    method: 'GET',
    path: '/v3/agents/:agent_id',
    audience: 'application',
    summary: 'Get one agent',
    description: 'Returns the agent with its rights and grants.',
    query: z.object(selectParam),
    returns: Agent,
    errors: ['not_found'],
  }),
  update: route({
    right: 'never',
    method: 'PATCH',
    path: '/v3/agents/:agent_id',
    audience: 'application',
    summary: 'Change the name or the rights of an agent',
    description:
      'The rights take effect at the next request of the agent. It never gets more than the person agreed to who connected it.',
    query: z.object(selectParam),
    body: AgentChange,
    returns: Agent,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'never',
    method: 'DELETE',
    path: '/v3/agents/:agent_id',
    audience: 'application',
    summary: 'Disconnect an agent',
    description:
      'All of its tokens stop working at once. It stays in the list as `disconnected` until they would have ended.',
    errors: ['not_found'],
  }),
  requests: route({
    right: 'never',
    method: 'GET',
    path: '/v3/agents/:agent_id/requests',
    audience: 'application',
    summary: 'List the requests of an agent',
    description: 'The newest first, without bodies: up to 10,000 of the last 30 days.',
    query: credentialRequestQuery,
    returns: CredentialRequest,
    list: 'cursor',
    errors: ['not_found'],
  }),
}
