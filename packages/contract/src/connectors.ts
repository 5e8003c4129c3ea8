import { z } from 'zod'
import { CreatedAt, Id, line, offsetPaging, selectParam, UpdatedAt } from './fields.ts'
import { ProviderKind } from './provider-kinds.ts'
import { route } from './route.ts'

const Scope = z.array(line(1024).min(1)).max(200)
const Settings = z.record(z.string(), z.unknown())

export const Connector = z
  .object({
    id: Id.meta({ description: 'Id of the connector. Paths use its provider instead.' }),
    name: z.string().meta({ description: 'Name for your own use; users do not see it' }),
    provider: ProviderKind.meta({ description: 'Provider of its accounts' }),
    settings: Settings.meta({
      description: 'OAuth client at the provider, such as `client_id`; secrets are omitted',
    }),
    scope: Scope.meta({ description: 'Default scopes of a hosted sign-in' }),
    active_credential_id: Id.nullable().meta({
      description: 'Credential used instead of the client in `settings`; null if none',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Connector', description: 'Configuration with which an application connects accounts of one provider' })
export type Connector = z.output<typeof Connector>

export const ConnectorDraft = z
  .object({
    provider: ProviderKind.meta({
      description: 'Provider of the accounts; an application has at most one connector per provider',
    }),
    name: line(256).nullish().meta({ description: 'Name for your own use; default: the name of the provider' }),
    settings: Settings.nullish().meta({
      description:
        '`google`, `microsoft`, `yahoo`, `zoom`: `client_id` and `client_secret` of your OAuth client (`yahoo`: none if users enter app passwords). `google` also `topic_name`, the Pub/Sub topic for pushed Gmail changes, and `project_id`; `microsoft` also `tenant`, default `common`. Other providers need none. Secrets are encrypted and never returned.',
    }),
    scope: Scope.nullish().meta({
      description: 'Default scopes of a hosted sign-in, as the provider names them; default: none',
    }),
    scopes: Scope.nullish().meta({ description: 'Alias of `scope`; takes precedence if both are given' }),
    active_credential_id: Id.nullish().meta({
      description:
        'Credential of this connector used instead of the client in `settings`. A new connector has none yet. null: the client in `settings`.',
    }),
  })
  .meta({ id: 'ConnectorDraft', description: 'A new connector' })
export type ConnectorDraft = z.output<typeof ConnectorDraft>

export const ConnectorChange = ConnectorDraft.omit({ provider: true }).meta({
  id: 'ConnectorChange',
  description: 'Changes to a connector. Absent fields stay unchanged.',
})
export type ConnectorChange = z.output<typeof ConnectorChange>

export const ConnectorTest = z
  .object({
    ok: z.boolean().meta({ description: 'Whether all checks passed' }),
    redirect_uri: z.string().nullable().meta({
      description: 'Redirect URI to register at the provider, exactly as given; null if users do not sign in there',
    }),
    checks: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the check, such as `client` or `scope`' }),
          ok: z.boolean().meta({ description: 'Whether the check passed' }),
          message: z.string().meta({ description: 'Result, and what to do if the check failed' }),
        }),
      )
      .meta({ description: 'The checks in order' }),
  })
  .meta({ id: 'ConnectorTest', description: 'Result of a connector test' })
export type ConnectorTest = z.output<typeof ConnectorTest>

export const connectors = {
  list: route({
    right: 'administration',
    method: 'GET',
    path: '/v3/connectors',
    summary: 'List the connectors of the application',
    description: 'At most one per provider. Secrets in the settings are omitted.',
    audience: 'application',
    query: z.object({ ...offsetPaging(), ...selectParam }),
    returns: Connector,
    list: 'offset',
  }),
  create: route({
    right: 'administration',
    method: 'POST',
    path: '/v3/connectors',
    summary: 'Create the connector of a provider',
    description: 'One connector per provider. It is required before any grant of its provider can be created.',
    audience: 'application',
    query: z.object(selectParam),
    body: ConnectorDraft,
    returns: Connector,
    status: 201,
    errors: ['conflict'],
  }),
  get: route({
    right: 'administration',
    method: 'GET',
    path: '/v3/connectors/:provider',
    summary: 'Get the connector of a provider',
    description: 'Secrets in the settings are omitted.',
    audience: 'application',
    query: z.object(selectParam),
    returns: Connector,
    errors: ['not_found'],
  }),
  update: route({
    right: 'administration',
    method: 'PATCH',
    path: '/v3/connectors/:provider',
    summary: 'Change the connector of a provider',
    description:
      '`settings` and `scope` are replaced as a whole, except that an absent `client_secret` is kept. Existing grants keep their scopes.',
    audience: 'application',
    query: z.object(selectParam),
    body: ConnectorChange,
    returns: Connector,
    errors: ['not_found', 'sandbox_restricted'],
  }),
  delete: route({
    right: 'administration',
    method: 'DELETE',
    path: '/v3/connectors/:provider',
    summary: 'Delete the connector of a provider',
    description:
      'Deletes its credentials too. Its grants stop working immediately and are deleted after 72 hours unless they are authenticated again.',
    audience: 'application',
    errors: ['not_found', 'sandbox_restricted'],
  }),
  test: route({
    right: 'administration',
    method: 'POST',
    path: '/v3/connectors/:provider/test',
    summary: 'Test the connector of a provider',
    description: 'Changes nothing. Presents the client to the provider; user accounts are not accessed.',
    audience: 'application',
    rate: 'detect',
    returns: ConnectorTest,
    errors: ['not_found'],
  }),
}
