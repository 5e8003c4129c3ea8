/** Connectors: one per provider and application. Secret settings are sealed and never returned. */
import {
  type Connector,
  type ConnectorChange,
  type ConnectorDraft,
  type ProviderKind,
  providerKinds,
} from '@waypost/contract'
import { ApiError, invalidField, invalidFields } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import {
  type ConnectorRow,
  getConnector,
  insertConnector,
  updateConnector,
} from '@waypost/store/tables/applications/connectors'
import type { z } from 'zod'

export const connectorOf = (row: ConnectorRow): Connector => ({
  id: row.id,
  name: row.name,
  provider: row.provider as ProviderKind,
  settings: JSON.parse(row.settings),
  scope: JSON.parse(row.scope),
  active_credential_id: row.active_credential_id,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

/** Parses a field by the contract's table; the error names the field below it. */
export function parsed(
  schema: z.ZodObject,
  field: string,
  given: Record<string, unknown>,
  missing?: string,
): Record<string, unknown> {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const wordsOf = (issue: z.core.$ZodIssue): string =>
    missing !== undefined && issue.code === 'invalid_type' && given[String(issue.path[0])] === undefined
      ? missing
      : issue.message
  throw invalidFields(
    Object.fromEntries(read.error.issues.map((issue) => [[field, ...issue.path].join('.'), wordsOf(issue)])),
  )
}

/** Parses settings by the contract's table for the provider. */
export const parseSettings = (
  schema: z.ZodObject,
  settings: Record<string, unknown>,
  missing = 'is required',
): Record<string, unknown> => parsed(schema, 'settings', settings, missing)

/** Why changing one setting requires the others. */
const replaced =
  'is required: `settings` replaces all settings, so send the others again too; a client_secret that is left out stays'

function split(kind: ProviderKind, settings: Record<string, unknown>) {
  const secretNames: readonly string[] = providerKinds[kind].secretSettings
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  return {
    open: Object.fromEntries(entries.filter(([name]) => !secretNames.includes(name))),
    secret: Object.fromEntries(entries.filter(([name]) => secretNames.includes(name))),
  }
}

type ConnectorKey = Pick<ConnectorRow, 'application_id' | 'id'>

const contextOf = ({ application_id: application, id: row }: ConnectorKey) => ({
  table: 'connectors',
  column: 'sealed_settings',
  application,
  row,
})

const sealSettings = (secrets: Secrets, key: ConnectorKey, secret: Record<string, unknown>) =>
  Object.keys(secret).length > 0 ? secrets.seal(JSON.stringify(secret), contextOf(key)) : null

/** The decrypted secret settings of a connector. */
export const secretSettingsOf = (row: ConnectorRow, secrets: Secrets): Record<string, unknown> =>
  row.sealed_settings === null ? {} : JSON.parse(secrets.open(row.sealed_settings, contextOf(row)))

/** The scope field has two names, and clients use both. */
const scopeOf = (draft: ConnectorChange): string[] | undefined => draft.scope ?? draft.scopes ?? undefined

export async function createConnector(
  tx: Queries,
  applicationId: string,
  draft: ConnectorDraft,
  tools: { secrets: Secrets; now: number },
): Promise<Connector> {
  const settings = parseSettings(providerKinds[draft.provider].connectorSettings, draft.settings ?? {})
  if (draft.active_credential_id)
    throw invalidField('active_credential_id', 'a new connector cannot have credentials yet')
  return insert(tx, applicationId, { ...draft, settings, scope: scopeOf(draft) ?? [] }, tools)
}

/** The sandbox's own connector. It exists from the start, with or without an OAuth client. */
export const createSandboxConnector = (
  tx: Queries,
  applicationId: string,
  draft: { provider: ProviderKind; settings: Record<string, unknown>; scope: string[] },
  tools: { secrets: Secrets; now: number },
): Promise<Connector> => insert(tx, applicationId, draft, tools)

async function insert(
  tx: Queries,
  applicationId: string,
  draft: { provider: ProviderKind; name?: string | null; settings: Record<string, unknown>; scope: string[] },
  tools: { secrets: Secrets; now: number },
): Promise<Connector> {
  const key = { id: newId(), application_id: applicationId }
  const { open, secret } = split(draft.provider, draft.settings)
  const row: ConnectorRow = {
    ...key,
    provider: draft.provider,
    name: draft.name ?? providerKinds[draft.provider].title,
    settings: JSON.stringify(open),
    sealed_settings: sealSettings(tools.secrets, key, secret),
    scope: JSON.stringify(draft.scope),
    active_credential_id: null,
    created_at: tools.now,
    updated_at: tools.now,
  }
  if (!(await insertConnector(tx, row))) {
    throw new ApiError(
      'conflict',
      `provider: the application already has a connector for ${draft.provider}: change it with PATCH /v3/connectors/${draft.provider}`,
    )
  }
  return connectorOf(row)
}

export async function needConnector(queries: Queries, applicationId: string, provider: string): Promise<ConnectorRow> {
  const row = await getConnector(queries, applicationId, provider)
  if (!row)
    throw new ApiError(
      'not_found',
      'the application has no connector for this provider: create it with POST /v3/connectors',
    )
  return row
}

/** Applies a change: settings and scope are replaced as a whole. A client secret that is left out stays. */
export async function changeConnector(
  tx: Queries,
  row: ConnectorRow,
  change: ConnectorChange,
  tools: { secrets: Secrets; now: number },
): Promise<Connector> {
  const kind = row.provider as ProviderKind
  let { settings, sealed_settings } = row
  if (change.settings) {
    const retained = secretSettingsOf(row, tools.secrets)
    const all = { ...retained, ...change.settings }
    const { open, secret } = split(kind, parseSettings(providerKinds[kind].connectorSettings, all, replaced))
    settings = JSON.stringify(open)
    sealed_settings = sealSettings(tools.secrets, row, secret)
  }
  const changed: ConnectorRow = {
    ...row,
    name: change.name ?? row.name,
    settings,
    sealed_settings,
    scope: JSON.stringify(scopeOf(change) ?? JSON.parse(row.scope)),
    active_credential_id:
      change.active_credential_id === undefined ? row.active_credential_id : change.active_credential_id,
    updated_at: tools.now,
  }
  await updateConnector(tx, changed)
  return connectorOf(changed)
}
