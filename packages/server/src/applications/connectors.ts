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

/** Parses settings by the contract's table for the provider; the error names the field below `settings`. */
export function parseSettings(
  schema: z.ZodObject,
  settings: Record<string, unknown>,
  missing = 'is required',
): Record<string, unknown> {
  const parsed = schema.safeParse(settings)
  if (parsed.success) return parsed.data
  throw invalidFields(
    Object.fromEntries(
      parsed.error.issues.map((issue) => [['settings', ...issue.path].join('.'), describe(issue, settings, missing)]),
    ),
  )
}

const describe = (issue: z.core.$ZodIssue, settings: Record<string, unknown>, missing: string): string =>
  issue.code === 'invalid_type' && settings[String(issue.path[0])] === undefined ? missing : issue.message

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

const sealSettings = (secrets: Secrets, at: { application: string; row: string }, secret: Record<string, unknown>) =>
  Object.keys(secret).length > 0
    ? secrets.seal(JSON.stringify(secret), { table: 'connectors', column: 'sealed_settings', ...at })
    : null

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
  const id = newId()
  const { open, secret } = split(draft.provider, draft.settings)
  const row: ConnectorRow = {
    id,
    application_id: applicationId,
    provider: draft.provider,
    name: draft.name ?? providerKinds[draft.provider].title,
    settings: JSON.stringify(open),
    sealed_settings: sealSettings(tools.secrets, { application: applicationId, row: id }, secret),
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
  const at = { application: row.application_id, row: row.id }
  const context = { table: 'connectors', column: 'sealed_settings', ...at }
  let { settings, sealed_settings } = row
  if (change.settings) {
    const retained = row.sealed_settings ? JSON.parse(tools.secrets.open(row.sealed_settings, context)) : {}
    const parsed = parseSettings(providerKinds[kind].connectorSettings, { ...retained, ...change.settings }, replaced)
    const { open, secret } = split(kind, parsed)
    settings = JSON.stringify(open)
    sealed_settings = sealSettings(tools.secrets, at, secret)
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
