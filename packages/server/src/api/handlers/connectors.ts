/** Connectors, their requirements at this installation, and the simulators that may replace providers. */
import { type ConnectorSetup, type ProviderKind, providerKinds } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { findProvider } from '@waypost/providers/registry'
import { checkScopeNames } from '@waypost/providers/scope-names'
import { sandboxScopes } from '@waypost/providers/settings'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { deleteConnector, getConnector, listConnectors } from '@waypost/store/tables/applications/connectors'
import { getCredential } from '@waypost/store/tables/applications/credentials'
import { grantsOfConnector } from '@waypost/store/tables/grants/grants'
import { needApplication } from '../../applications/applications.ts'
import { changeConnector, connectorOf, createConnector, needConnector } from '../../applications/connectors.ts'
import { clientOf } from '../../applications/credentials.ts'
import { loseAccess } from '../../grants/grants.ts'
import { isReachable } from '../../services/network.ts'
import type { Services } from '../../services/services.ts'
import type { ListPage } from '../http/answer.ts'
import { tellIgnoredSettings } from '../http/ignored-fields.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

/** A page of a short list that is read as a whole: connectors and credentials. */
export function offsetPage<T>(
  items: readonly T[],
  query: { limit: number; offset?: number | undefined },
  position: unknown,
): ListPage<T> {
  const offset = typeof position === 'number' ? position : (query.offset ?? 0)
  const end = offset + query.limit
  return { items: items.slice(offset, end), offset, ...(end < items.length ? { next: end } : {}) }
}

/** How long the grants of a deleted connector are retained, in case it is created again. */
const graceMs = 72 * 3_600_000

/** The sandbox's connectors are fixed: their clients may be set, but not their scopes, and they cannot be deleted. */
const isFixed = (environment: string, provider: string): boolean =>
  environment === 'sandbox' && Object.hasOwn(sandboxScopes, provider)

/** The result for a connector that cannot be tested. */
const nothingToTry = (isAvailable: boolean) =>
  isAvailable
    ? {
        name: 'connector',
        ok: true,
        message: 'There is nothing to set up: users give their credentials when they sign in.',
      }
    : { name: 'connector', ok: false, message: 'This server cannot use accounts of this kind yet.' }

const test =
  ({
    storage: { database, secrets },
    accounts: { providers, ioFor },
    config,
  }: Pick<Services, 'config' | 'storage' | 'accounts'>): Handlers['connectors']['test'] =>
  async ({ application, params, signal }) => {
    const row = await needConnector(database, application.id, params.provider)
    const provider = findProvider(providers, row.provider)
    const redirectUri = `${config.baseUrl}/v3/connect/callback`
    const use = { scope: connectorOf(row).scope, redirectUri }
    const client = await clientOf(database, secrets, row, row.active_credential_id)
    const checks = provider?.check
      ? await provider.check(client, use, ioFor(row.provider, signal))
      : [nothingToTry(provider !== undefined)]
    return { ok: checks.every(({ ok }) => ok), redirect_uri: provider?.oauth ? redirectUri : null, checks }
  }

export const connectors = (
  services: Pick<Services, 'config' | 'storage' | 'accounts' | 'notifications'>,
): Handlers['connectors'] => ({
  ...connectorChanges(services),
  test: test(services),
})

const connectorChanges = ({
  storage: { database, clock, secrets, log },
  notifications: { notify },
  accounts: { providers },
}: Pick<Services, 'storage' | 'accounts' | 'notifications'>): Omit<Handlers['connectors'], 'test'> => ({
  list: async ({ application, query, position }) =>
    offsetPage((await listConnectors(database, application.id)).map(connectorOf), query, position),
  create: ({ application, body, write, responseHeaders }) => {
    tellIgnoredSettings(responseHeaders, providerKinds[body.provider].connectorSettings, body.settings)
    checkScopeNames(providers, body.provider, body.scope ?? body.scopes)
    return write((tx) => createConnector(tx, application.id, body, { secrets, now: clock.now() }))
  },
  get: async ({ application, params }) => connectorOf(await needConnector(database, application.id, params.provider)),
  update: ({ application, params, body, write, responseHeaders }) =>
    write(async (tx) => {
      await lockApplication(tx, application.id)
      const row = await needConnector(tx, application.id, params.provider)
      if (isFixed(application.environment, row.provider) && (body.scope || body.scopes)) {
        throw new ApiError('sandbox_restricted', 'scope: the scopes of the sandbox connectors are fixed')
      }
      if (body.active_credential_id) {
        const at = { applicationId: application.id, connectorId: row.id, id: body.active_credential_id }
        if (!(await getCredential(tx, at))) {
          throw invalidField('active_credential_id', 'is not a credential of this connector')
        }
      }
      const kind = row.provider as ProviderKind
      checkScopeNames(providers, kind, body.scope ?? body.scopes)
      tellIgnoredSettings(responseHeaders, providerKinds[kind].connectorSettings, body.settings)
      return changeConnector(tx, row, body, { secrets, now: clock.now() })
    }),
  delete: ({ application, params, write, requestId }) =>
    write(async (tx) => {
      await lockApplication(tx, application.id)
      const row = await needConnector(tx, application.id, params.provider)
      if (isFixed(application.environment, row.provider)) {
        throw new ApiError('sandbox_restricted', 'the connectors that the sandbox came with stay')
      }
      const now = clock.now()
      for (const grant of await grantsOfConnector(tx, application.id, row.id)) {
        const expiry = { reason: 'connector_deleted', purgeAt: now + graceMs } as const
        await loseAccess(tx, grant, expiry, { secrets, log, notify, now, requestId })
      }
      await deleteConnector(tx, application.id, row.id)
    }),
})

function kindOf(provider: string): ProviderKind {
  if (Object.hasOwn(providerKinds, provider)) return provider as ProviderKind
  throw new ApiError('not_found', 'no provider of this name')
}

export const connectorSetup = (
  services: Pick<Services, 'config' | 'storage' | 'network' | 'accounts'>,
): Handlers['connectorSetup'] => {
  const { config } = services
  const { database, clock, secrets } = services.storage
  const { providers, sandboxClients } = services.accounts
  const { addressMode } = services.network

  /** The connector settings for a simulator; undefined if there is none. */
  const settingsOf = (kind: ProviderKind): Record<string, string> | undefined => {
    if (config.providerUrls[kind] === undefined) return undefined
    if (!findProvider(providers, kind)?.oauth) return {}
    const { settings, clientSecret } = sandboxClients[kind] ?? { settings: {} }
    return settings.client_id && clientSecret ? { ...settings, client_secret: clientSecret } : undefined
  }

  const setupOf = (kind: ProviderKind): ConnectorSetup => {
    const { baseUrl } = config
    const provider = findProvider(providers, kind)
    return {
      provider: kind,
      redirect_uri: provider?.oauth ? `${baseUrl}/v3/connect/callback` : null,
      push: provider?.receive
        ? { address: `${baseUrl}/v3/push/${kind}`, reachable: isReachable(baseUrl, addressMode()) }
        : null,
      simulator: { url: config.providerUrls[kind] ?? null, ready: settingsOf(kind) !== undefined },
    }
  }

  return {
    get: async ({ params }) => {
      await needApplication(database, params.application_id)
      return setupOf(kindOf(params.provider))
    },
    simulate: async ({ params, write }) => {
      const { id } = await needApplication(database, params.application_id)
      const kind = kindOf(params.provider)
      const settings = settingsOf(kind)
      if (!settings)
        throw new ApiError('conflict', `there is no simulated ${kind}: start the service with "npm run dev"`)
      const tools = { secrets, now: clock.now() }
      return write(async (tx) => {
        await lockApplication(tx, id)
        const row = await getConnector(tx, id, kind)
        return row
          ? changeConnector(tx, row, { settings }, tools)
          : createConnector(tx, id, { provider: kind, settings }, tools)
      })
    },
  }
}
