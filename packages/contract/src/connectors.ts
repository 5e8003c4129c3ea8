import { z } from 'zod'
import { CreatedAt, Id, line, offsetPaging, selectParam, UpdatedAt } from './fields.ts'
import { ProviderKind } from './provider-kinds.ts'
import { route } from './route.ts'

const Scope = z.array(line(1024).min(1)).max(200)
const Settings = z.record(z.string(), z.unknown())

export const Connector = z
  .object({
    id: Id.meta({ description: 'Id of the connector. Paths name it by its provider.' }),
    name: z.string().meta({ description: 'Name for those who set it up; users do not see it' }),
    provider: ProviderKind.meta({ description: 'Kind of the accounts that it connects' }),
    settings: Settings.meta({
      description: 'Client of the application at the provider, such as `client_id`; secrets are left out',
    }),
    scope: Scope.meta({ description: 'Scopes that a hosted sign-in asks for where it names none itself' }),
    active_credential_id: Id.nullable().meta({
      description: 'Credential that is used in place of the client in `settings`; null where there is none',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Connector', description: 'What an application needs to connect accounts of one provider' })
export type Connector = z.output<typeof Connector>

export const ConnectorDraft = z
  .object({
    provider: ProviderKind.meta({
      description: 'Kind of the accounts to connect; an application has one connector of each',
    }),
    name: line(256).nullish().meta({ description: 'Name for those who set it up; that of the provider when absent' }),
    settings: Settings.nullish().meta({
      description:
        '`google`, `microsoft`, `yahoo`, `zoom`: `client_id` and `client_secret` of your client there (`yahoo`: none where users bring app passwords). `google` also `topic_name`, the Pub/Sub topic by which Gmail tells of new mail at once, and `project_id`; `microsoft` also `tenant`, `common` when absent. The others need none. Secrets are sealed and never answered.',
    }),
    scope: Scope.nullish().meta({
      description:
        'Scopes that a hosted sign-in asks for where it names none itself, in the words of the provider; none when absent',
    }),
    scopes: Scope.nullish().meta({ description: 'Another spelling of `scope`, which counts where both are given' }),
    active_credential_id: Id.nullish().meta({
      description:
        'Credential of this connector that is used in place of the client in `settings`; a new connector has none yet. null: the client in `settings`.',
    }),
  })
  .meta({ id: 'ConnectorDraft', description: 'A connector to be set up' })
export type ConnectorDraft = z.output<typeof ConnectorDraft>

export const ConnectorChange = ConnectorDraft.omit({ provider: true }).meta({
  id: 'ConnectorChange',
  description: 'What is to change of a connector. What is left out stays.',
})
export type ConnectorChange = z.output<typeof ConnectorChange>

export const ConnectorTest = z
  .object({
    ok: z.boolean().meta({ description: 'Whether all checks went well' }),
    redirect_uri: z.string().nullable().meta({
      description: 'To be registered at the provider, letter for letter; null where users do not sign in there',
    }),
    checks: z
      .array(
        z.object({
          name: z.string().meta({ description: 'What was tried, such as `client` or `scope`' }),
          ok: z.boolean().meta({ description: 'Whether it is in order' }),
          message: z.string().meta({ description: 'What was found, and what to do where it is not in order' }),
        }),
      )
      .meta({ description: 'What was tried, one by one' }),
  })
  .meta({ id: 'ConnectorTest', description: 'Whether a connector will do' })
export type ConnectorTest = z.output<typeof ConnectorTest>

export const connectors = {
  list: route({
    method: 'GET',
    path: '/v3/connectors',
    summary: 'List the connectors of the application',
    description: 'At most one for each provider. Secrets among the settings are left out.',
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
    description: 'Secrets among the settings are left out.',
    audience: 'application',
    query: z.object(selectParam),
    returns: Connector,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/connectors/:provider',
    summary: 'Change the connector of a provider',
    description:
      '`settings` and `scope` are replaced whole, but for a `client_secret` that is not given again, which stays. Grants that are there already keep their scopes.',
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
