/** The requirements of a connector at this installation, and the simulators that may replace providers. */
import { type ConnectorSetup, type ProviderKind, providerKinds } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { findProvider } from '@waypost/providers/registry'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { getConnector } from '@waypost/store/tables/applications/connectors'
import { needApplication } from '../../applications/applications.ts'
import { changeConnector, createConnector } from '../../applications/connectors.ts'
import { isReachable } from '../../services/network.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

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
