import { type ProviderGuide, type ProviderKind, providerKinds } from '@waypost/contract'
import { z } from 'zod'
import { authenticate, grantAccess } from '../../grants/grants.ts'
import { invalidField } from '../../lib/api-error.ts'
import { waysOut } from '../../providers/provider.ts'
import type { Services } from '../../services.ts'
import { listConnectors } from '../../store/connectors.ts'
import type { Handlers } from './index.ts'

export const connect = (services: Services): Handlers['connect'] => {
  const { database, clock, secrets, log, notify, providers, egress } = services
  return {
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
    custom: async ({ application, body, signal, write }) => {
      const io = { ...waysOut(egress), clock, signal, log }
      const account = await authenticate(database, application, body, { providers, io })
      return write((tx) => grantAccess(tx, application, account, { secrets, log, notify, now: clock.now() }))
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
  const example = Object.fromEntries(
    settings.filter((field) => field.required).map((field) => [field.name, `<${field.name}>`]),
  )
  return {
    provider: kind,
    title: providerKinds[kind].title,
    ...state,
    settings,
    example: { provider: kind, settings: example },
  }
}
