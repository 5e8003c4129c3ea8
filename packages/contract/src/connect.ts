import { z } from 'zod'
import { line, selectParam, textParam } from './fields.ts'
import { ExternalId, Grant } from './grants.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const CustomAuthentication = z
  .object({
    provider: z.string().optional().meta({ description: 'Required: one of the provider kinds' }),
    settings: z.record(z.string(), z.unknown()).meta({
      description: 'What the provider needs; `GET /v3/connect/custom` describes it by provider',
    }),
    scope: z.array(line(1024).min(1)).max(200).nullish(),
    state: z.string().max(limits.stateLength).nullish(),
    credential_id: line(64).nullish(),
    external_id: ExternalId.nullish().meta({ description: 'Your own id of the end user, unique in the application' }),
  })
  .meta({ id: 'CustomAuthentication' })
export type CustomAuthentication = z.output<typeof CustomAuthentication>

export const ProviderGuide = z
  .object({
    provider: z.string(),
    title: z.string(),
    available: z.boolean().meta({ description: 'Whether this server can make grants of this kind' }),
    connector: z.boolean().meta({ description: 'Whether the application has the connector that is needed first' }),
    settings: z.array(z.object({ name: z.string(), required: z.boolean(), description: z.string() })),
    example: z.record(z.string(), z.unknown()).meta({ description: 'A body for POST on this path' }),
  })
  .meta({ id: 'ProviderGuide' })
export type ProviderGuide = z.output<typeof ProviderGuide>

export const connect = {
  guide: route({
    method: 'GET',
    path: '/v3/connect/custom',
    summary: 'Describe what each provider needs for custom authentication',
    audience: 'application',
    query: z.object({ provider: textParam(), ...selectParam }),
    returns: ProviderGuide,
    list: 'whole',
  }),
  custom: route({
    method: 'POST',
    path: '/v3/connect/custom',
    summary: 'Make a grant from credentials that you hold',
    description:
      'An address that has a grant already is authenticated again and keeps its grant id. Needs a connector of the provider.',
    audience: 'application',
    query: z.object(selectParam),
    body: CustomAuthentication,
    returns: Grant,
    status: 201,
    errors: [
      'provider_required',
      'connector_required',
      'authentication_failed',
      'grant_limit_reached',
      'conflict',
      'not_supported_by_provider',
    ],
  }),
}
