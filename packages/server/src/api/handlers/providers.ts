import type { Detection } from '@waypost/contract'
import { type Detected, detectByDomain, detectByExchanges } from '@waypost/providers/detection'
import { listConnectors } from '@waypost/store/tables/applications/connectors'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

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
