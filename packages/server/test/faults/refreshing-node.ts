/**
 * Requests a token of a grant as a node does, and ends like kill -9 once the provider has returned new ones, before
 * they are stored.
 */

import type { SessionIo } from '@waypost/providers/io'
import type { OAuth } from '@waypost/providers/oauth'
import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { readConfig } from '../../src/config.ts'
import { createServices } from '../../src/services/index.ts'

const { APPLICATION_ID = '', GRANT_ID = '', KIND = '', ...environment } = process.env
const { config, secrets } = readConfig(environment)
const provider = Object.entries(providers).find(([kind]) => kind === KIND)?.[1]
if (!provider || !('oauth' in provider) || !provider.oauth) throw new Error(`${KIND} has no tokens`)
const { oauth } = provider
const refresh: OAuth['refresh'] = async (...requested) => {
  await oauth.refresh(...requested)
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
const killed: Provider = { ...provider, oauth: { ...oauth, refresh }, adapterFor: () => killed }
const {
  storage: { database },
  accounts: { sessions },
} = await createServices(config, secrets, { providers: { [KIND]: killed } })
const record = await getGrant(database, APPLICATION_ID, GRANT_ID)
if (!record) throw new Error('there is no such grant')
const use = { queries: database, signal: () => AbortSignal.timeout(60_000), responseHeaders: {} }
const { io } = sessions.open(record, 'folders.list', use) as { io: SessionIo }
// The stored token is valid by the clock, but the provider no longer accepts it.
await io.accessToken(await io.accessToken())
