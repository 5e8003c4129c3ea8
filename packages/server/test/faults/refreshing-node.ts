/** Asks for the folders of a grant as a node does, and ends as kill -9 does once the provider has answered with new tokens: before they are kept. */
import { readConfig } from '../../src/config.ts'
import { microsoft } from '../../src/providers/microsoft/index.ts'
import type { Session } from '../../src/providers/microsoft/session.ts'
import type { OAuth } from '../../src/providers/oauth.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { createServices } from '../../src/services/index.ts'
import { getGrant } from '../../src/store/grants.ts'

const { APPLICATION_ID = '', GRANT_ID = '', ...environment } = process.env
const { config, secrets } = readConfig(environment)
const refresh: OAuth['refresh'] = async (...asked) => {
  await microsoft.oauth.refresh(...asked)
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
const killed: Provider = { ...microsoft, oauth: { ...microsoft.oauth, refresh } }
const { database, sessions } = await createServices(config, secrets, { providers: { microsoft: killed } })
const record = await getGrant(database, APPLICATION_ID, GRANT_ID)
if (!record) throw new Error('there is no such grant')
const use = { queries: database, signal: () => AbortSignal.timeout(60_000), responseHeaders: {} }
const session = sessions.open(record, 'folders.list', use) as Session
await session.execute('GET', session.mailbox)
