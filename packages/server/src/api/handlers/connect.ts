/** Connecting accounts: what each provider needs, and which one an address has. */
import { type Detection, type ProviderGuide, type ProviderKind, providerKinds } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { type Detected, detectByDomain, detectByExchanges } from '@waypost/providers/detection'
import { listConnectors } from '@waypost/store/tables/applications/connectors'
import { z } from 'zod'
import { grantAccess } from '../../grants/grants.ts'
import { countGuess } from '../../grants/guesses.ts'
import { authenticate } from '../../grants/verify-credentials.ts'
import { checkWorkspaceId } from '../../grants/workspaces.ts'
import type { Services } from '../../services/services.ts'
import { tellIgnored, tellIgnoredSettings } from '../http/ignored-fields.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { tokens } from './tokens.ts'

export const connect = (
  services: Pick<Services, 'config' | 'storage' | 'accounts' | 'notifications' | 'telemetry'>,
): Handlers['connect'] => {
  const { database, clock, secrets, log } = services.storage
  const { notify } = services.notifications
  const { providers } = services.accounts
  const { limiter } = services.telemetry
  return {
    ...tokens(services),
    guide: async ({ application, query }) => {
      const connected = new Set((await listConnectors(database, application.id)).map((row) => row.provider))
      const kinds = Object.keys(providerKinds) as ProviderKind[]
      if (query.provider !== undefined && !kinds.some((kind) => kind === query.provider)) {
        throw invalidField('provider', `must be one of ${kinds.join(', ')}`)
      }
      return kinds
        .filter((kind) => query.provider === undefined || kind === query.provider)
        .map((kind) => guideOf(kind, { available: Object.hasOwn(providers, kind), connector: connected.has(kind) }))
    },
    custom: async ({ application, body, signal, visitor, write, responseHeaders, requestId }) => {
      await checkWorkspaceId(database, application, body.workspace_id)
      const trying = { providers, secrets, ioFor: (kind: string) => services.accounts.ioFor(kind, signal) }
      const guessing = { from: `${application.id} ${visitor.address}`, settings: body.settings, now: clock.now() }
      const account = await countGuess(limiter, guessing, () => authenticate(database, application, body, trying))
      const kind = account.connector.provider as ProviderKind
      tellIgnoredSettings(responseHeaders, providerKinds[kind].customSettings, body.settings)
      if (body.scope?.length && !providerKinds[kind].takesScope) tellIgnored(responseHeaders, ['scope'])
      return write((tx) => grantAccess(tx, application, account, { secrets, log, notify, now: clock.now(), requestId }))
    },
  }
}

function guideOf(kind: ProviderKind, state: { available: boolean; connector: boolean }): ProviderGuide {
  const schema = z.toJSONSchema(providerKinds[kind].customSettings, { io: 'input' })
  const required = new Set(schema.required ?? [])
  const settings = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    required: required.has(name),
    description: (typeof field === 'object' && field.description) || '',
  }))
  const needed = settings.filter((field) => field.required)
  // If there are several ways and none is required, the first one.
  const shown = needed.length > 0 ? needed : settings.slice(0, 1)
  const example = Object.fromEntries(shown.map((field) => [field.name, `<${field.name}>`]))
  return {
    provider: kind,
    title: providerKinds[kind].title,
    ...state,
    settings,
    example: { provider: kind, settings: example },
  }
}

export const providers = ({
  storage: { database },
  network: { findMailExchangers },
}: Pick<Services, 'storage' | 'network'>): Handlers['providers'] => ({
  detect: async ({ application, query, signal }) => {
    const domain = query.email.slice(query.email.lastIndexOf('@') + 1)
    const found = detectByDomain(domain) ?? detectByExchanges(await findMailExchangers(domain, signal))
    if (query.all_provider_types) return detection(query.email, found)
    const connected = new Set((await listConnectors(database, application.id)).map((row) => row.provider))
    return detection(query.email, found && connected.has(found.provider) ? found : undefined)
  },
})

const detection = (email: string, found: Detected | undefined): Detection => ({
  email_address: email,
  detected: found !== undefined,
  ...(found ? { provider: found.provider } : {}),
  ...(found?.type ? { type: found.type } : {}),
})
