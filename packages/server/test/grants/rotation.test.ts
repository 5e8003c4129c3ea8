/**
 * Refresh tokens that a provider replaces at each use: many concurrent workers, and a node that is killed with the
 * new token in memory.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEgress } from '@waypost/platform/egress/egress'
import type { ProviderClient } from '@waypost/providers/identity'
import { ioFor, type SessionIo } from '@waypost/providers/io'
import type { OAuth } from '@waypost/providers/oauth'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { type Engine, enginesFor } from '@waypost/testing/engines'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { microsoft } from '../../../providers/src/microsoft/index.ts'
import { yahoo } from '../../../providers/src/yahoo/index.ts'
import { startMicrosoft, startYahoo } from '../../../simulators/src/index.ts'
import { createProviderTokens, type Refresh } from '../../src/grants/provider-tokens.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'
import { everyScope as scopesOfMicrosoft } from '../peers/microsoft.ts'
import { everyScope as scopesOfYahoo } from '../peers/yahoo.ts'

const signal = new AbortController().signal
/** By 20 workers. `ROTATION_ROUNDS=500` is the full test. */
const rounds = Number(process.env.ROTATION_ROUNDS ?? 40)

interface Options {
  now(): number
  strictRotation?: boolean
}

/** What the tests need from a simulated provider. */
interface Simulator extends AsyncDisposable {
  url: string
  client: { readonly id: string; readonly secret: string }
  addAccount(seed: { email: string }): { email: string }
  grantToken(email: string, scopes: string[]): { refreshToken: string }
  expireAccessTokens(): void
  calls: { path: string; status: number }[]
  clearCalls(): void
}

interface Kind {
  name: 'microsoft' | 'yahoo'
  oauth: OAuth
  scopes: string[]
  start(options: Options): Promise<Simulator>
}

const kinds: Kind[] = [
  { name: 'microsoft', oauth: microsoft.oauth, scopes: scopesOfMicrosoft, start: startMicrosoft },
  { name: 'yahoo', oauth: yahoo.oauth, scopes: scopesOfYahoo, start: startYahoo },
]

const envOf = ({ name }: Kind, { url }: Simulator): Record<string, string> => ({
  [`WAYPOST_${name.toUpperCase()}_URL`]: url,
  WAYPOST_EGRESS: 'private',
})

const openWith = (kind: Kind, simulator: Simulator, options: ServiceOptions): Promise<TestService> =>
  openService({ ...options, env: envOf(kind, simulator) })

const clientOf = ({ client }: Simulator) => ({ client_id: client.id, client_secret: client.secret })

/** An application with a grant of an account. */
async function newGrant(service: TestService, kind: Kind, simulator: Simulator) {
  const { key, id: applicationId } = await service.createApplication('Rotation')
  await service.call('POST', '/v3/connectors', { key, body: { provider: kind.name, settings: clientOf(simulator) } })
  const { email } = simulator.addAccount({ email: 'ada@people.example' })
  const { refreshToken } = simulator.grantToken(email, kind.scopes)
  const body = { provider: kind.name, settings: { refresh_token: refreshToken } }
  const made = await service.call('POST', '/v3/connect/custom', { key, body })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return { key, applicationId, id: String(made.body.data.id) }
}

async function recordOf({ services }: TestService, at: { applicationId: string; id: string }): Promise<GrantRecord> {
  const record = await getGrant(services.storage.database, at.applicationId, at.id)
  if (!record) throw new Error('no grant')
  return record
}

const statuses = ({ calls }: Simulator): number[] =>
  calls.filter(({ path: requested }) => requested.endsWith('token')).map(({ status }) => status)

const races = kinds.flatMap((kind) =>
  enginesFor(import.meta.url).map((engine): [string, Engine, Kind] => [kind.name, engine, kind]),
)

describe.each(races)('twenty workers at a %s that accepts a refresh token once, on %s', (_name, engine, kind) => {
  const clock = testClock()
  const egress = createEgress({ mode: 'private' })
  let simulator: Simulator
  let service: TestService
  beforeAll(async () => {
    simulator = await kind.start({ strictRotation: true, now: clock.now })
    service = await openWith(kind, simulator, { engine, overrides: { clock } })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await simulator?.[Symbol.asyncDispose]()
    await egress[Symbol.asyncDispose]()
  })

  test(`make one refresh for each of ${rounds} expiries, and the account never becomes invalid`, async () => {
    const record = await recordOf(service, await newGrant(service, kind, simulator))
    const { database, secrets, log } = service.services.storage
    const client: ProviderClient = { type: 'connector', data: clientOf(simulator), settings: {} }
    const parts = { egress, clock, log, providerUrls: { [kind.name]: simulator.url }, shared: new Map() }
    const refresh: Refresh = (credentials, aborted) =>
      kind.oauth.refresh(client, credentials, ioFor(parts, kind.name, aborted))
    const workers = Array.from({ length: 20 }, () => createProviderTokens({ database, secrets, clock }))
    simulator.clearCalls()
    for (let round = 0; round < rounds; round++) {
      clock.advance(3_600_000)
      const got = await Promise.all(workers.map((worker) => worker.current(record, refresh, { signal })))
      expect(new Set(got).size).toBe(1)
    }
    expect(statuses(simulator)).toEqual(Array(rounds).fill(200))
  }, 600_000)
})

test.each(kinds)(
  'a node that is killed between the answer of $name with new tokens and their keeping loses no account',
  async (kind) => {
    const clock = testClock()
    await using simulator = await kind.start({ now: clock.now })
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-rotation-'))
    const open = () => openWith(kind, simulator, { dataDir: folder.path, overrides: { clock } })
    const grant = await (async () => {
      await using service = await open()
      return await newGrant(service, kind, simulator)
    })()
    simulator.expireAccessTokens()
    simulator.clearCalls()
    const child = spawn(process.execPath, [await programFile('refreshing-node')], {
      env: {
        ...processEnvironment,
        ...envOf(kind, simulator),
        WAYPOST_DATA_DIR: folder.path,
        APPLICATION_ID: grant.applicationId,
        GRANT_ID: grant.id,
        KIND: kind.name,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [, ended] = await once(child, 'exit')
    expect(ended).toBe('SIGKILL')
    // The provider has issued the next refresh token, and no node has it.
    expect(statuses(simulator)).toEqual([200])
    simulator.expireAccessTokens()
    // The killed node's lease ends by its own clock, which continued meanwhile.
    clock.advance(600_000)
    await using service = await open()
    const use = { queries: service.services.storage.database, signal: () => signal, responseHeaders: {} }
    const record = await recordOf(service, grant)
    const { io } = service.services.accounts.sessions.open(record, 'folders.list', use) as { io: SessionIo }
    const refused = await io.accessToken()
    expect(await io.accessToken(refused)).not.toBe(refused)
    expect(statuses(simulator)).toEqual([200, 200])
    const { body } = await service.call('GET', `/v3/grants/${grant.id}`, { key: grant.key })
    expect(body.data.grant_status).toBe('valid')
  },
)
