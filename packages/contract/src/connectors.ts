import { z } from 'zod'
import { Id, line, offsetPaging, selectParam, Timestamp } from './fields.ts'
import { ProviderKind } from './provider-kinds.ts'
import { route } from './route.ts'

const Scope = z.array(line(1024).min(1)).max(200)
const Settings = z.record(z.string(), z.unknown())

export const Connector = z
  .object({
    id: Id,
    name: z.string(),
    provider: ProviderKind,
    settings: Settings.meta({ description: 'Without secrets' }),
    scope: Scope,
    active_credential_id: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Connector' })
export type Connector = z.output<typeof Connector>

export const ConnectorDraft = z
  .object({
    provider: ProviderKind,
    name: line(256).nullish(),
    settings: Settings.nullish().meta({
      description:
        'google, microsoft, yahoo, zoom: client_id and client_secret (yahoo: none where users bring app passwords); google also topic_name, microsoft also tenant; the others none',
    }),
    scope: Scope.nullish(),
    scopes: Scope.nullish().meta({ description: 'The same as `scope`' }),
    active_credential_id: Id.nullish(),
  })
  .meta({ id: 'ConnectorDraft' })
export type ConnectorDraft = z.output<typeof ConnectorDraft>

export const ConnectorChange = ConnectorDraft.omit({ provider: true }).meta({ id: 'ConnectorChange' })
export type ConnectorChange = z.output<typeof ConnectorChange>

export const ConnectorTest = z
  .object({
    ok: z.boolean(),
    redirect_uri: z.string().nullable().meta({
      description: 'To be registered at the provider, letter for letter; null where users do not sign in there',
    }),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string() })),
  })
  .meta({ id: 'ConnectorTest' })
export type ConnectorTest = z.output<typeof ConnectorTest>

export const connectors = {
  list: route({
    method: 'GET',
    path: '/v3/connectors',
    summary: 'List the connectors of the application',
    audience: 'application',
    query: z.object({ ...offsetPaging(), ...selectParam }),
    returns: Connector,
    list: 'offset',
  }),
  create: route({
    method: 'POST',
    path: '/v3/connectors',
    summary: 'Create the connector of a provider',
    description: 'One connector per provider. A connector is needed before any grant of its provider.',
    audience: 'application',
    query: z.object(selectParam),
    body: ConnectorDraft,
    returns: Connector,
    status: 201,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v3/connectors/:provider',
    summary: 'Get the connector of a provider',
    audience: 'application',
    query: z.object(selectParam),
    returns: Connector,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/connectors/:provider',
    summary: 'Change the connector of a provider',
    description: '`settings` and `scope` are replaced whole.',
    audience: 'application',
    query: z.object(selectParam),
    body: ConnectorChange,
    returns: Connector,
    errors: ['not_found', 'sandbox_restricted'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v3/connectors/:provider',
    summary: 'Delete the connector of a provider',
    description:
      'Its credentials are deleted with it. Its grants stop working at once and are removed after 72 hours unless they are authenticated again.',
    audience: 'application',
    errors: ['not_found', 'sandbox_restricted'],
  }),
  test: route({
    method: 'POST',
    path: '/v3/connectors/:provider/test',
    summary: 'Try the connector of a provider, and say what is wrong',
    description: 'Nothing is changed. The client is shown to the provider; users and their accounts are not touched.',
    audience: 'application',
    rate: 'detect',
    returns: ConnectorTest,
    errors: ['not_found'],
  }),
}
