/** Refresh tokens that a provider replaces at each use: many workers at once, and a node that is killed with the new one in its hands. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProviderTokens, type Refresh } from '../../src/grants/provider-tokens.ts'
import { createEgress } from '../../src/lib/egress.ts'
import type { ProviderClient } from '../../src/providers/identity.ts'
import { ioFor } from '../../src/providers/io.ts'
import { microsoft } from '../../src/providers/microsoft/index.ts'
import type { Session } from '../../src/providers/microsoft/session.ts'
import { type GrantRecord, getGrant } from '../../src/store/grants.ts'
import { engines, type TestService, testClock } from '../harness.ts'
import { createMicrosoftGrant, type MicrosoftPeer, openMicrosoft, openMicrosoftService } from '../peers/microsoft.ts'
import { processEnvironment, programFile } from '../programs.ts'

const signal = new AbortController().signal
/** Of 20 workers. `ROTATION_ROUNDS=500` is the whole trial. */
const rounds = Number(process.env.ROTATION_ROUNDS ?? 40)

describe.each(engines)('twenty workers at a Microsoft that takes a refresh token once, on %s', (engine) => {
  const clock = testClock()
  const egress = createEgress({ mode: 'private' })
  let peer: MicrosoftPeer
  let service: TestService
  beforeAll(async () => {
    peer = await openMicrosoft({ strictRotation: true, now: clock.now })
    service = await openMicrosoftService(peer.simulator, { engine, overrides: { clock } })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await peer?.[Symbol.asyncDispose]()
    await egress[Symbol.asyncDispose]()
  })

  test(`${rounds} refreshes: one for each expiry, and the account is never taken for lost`, async () => {
    const { simulator } = peer
    const { key, id: applicationId } = await service.createApplication('Rotation')
    const { email } = simulator.addAccount({ email: 'ada@contoso.example' })
    const { id } = await createMicrosoftGrant(service, simulator, { email, key })
    const { database, secrets, log } = service.services
    const record: GrantRecord | undefined = await getGrant(database, applicationId, id)
    if (!record) throw new Error('no grant')
    const client: ProviderClient = {
      type: 'connector',
      data: { client_id: simulator.client.id, client_secret: simulator.client.secret },
      settings: {},
    }
    const parts = { egress, clock, log, providerUrls: { microsoft: simulator.url }, shared: new Map() }
    const refresh: Refresh = (credentials, aborted) =>
      microsoft.oauth.refresh(client, credentials, ioFor(parts, 'microsoft', aborted))
    const workers = Array.from({ length: 20 }, () => createProviderTokens({ database, secrets, clock }))
    simulator.clearCalls()
    for (let round = 0; round < rounds; round++) {
      clock.advance(3_600_000)
      const got = await Promise.all(workers.map((worker) => worker.current(record, refresh, { signal })))
      expect(new Set(got).size).toBe(1)
    }
    const statuses = simulator.calls.filter(({ path }) => path.endsWith('/token')).map(({ status }) => status)
    expect(statuses).toEqual(Array(rounds).fill(200))
  }, 600_000)
})

test('a node that is killed between the answer with new tokens and their keeping loses no account', async () => {
  const clock = testClock()
  await using peer = await openMicrosoft({ now: clock.now })
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-rotation-'))
  const { simulator } = peer
  const { email } = simulator.addAccount({ email: 'ada@contoso.example' })
  const open = () => openMicrosoftService(simulator, { dataDir: folder.path, overrides: { clock } })
  const grant = await (async () => {
    await using service = await open()
    const { key, id: application } = await service.createApplication('Rotation')
    return { key, application, ...(await createMicrosoftGrant(service, simulator, { email, key })) }
  })()
  simulator.expireAccessTokens()
  simulator.clearCalls()
  const child = spawn(process.execPath, [await programFile('refreshing-node')], {
    env: {
      ...processEnvironment,
      WAYPOST_DATA_DIR: folder.path,
      WAYPOST_MICROSOFT_URL: simulator.url,
      WAYPOST_EGRESS: 'private',
      APPLICATION_ID: grant.application,
      GRANT_ID: grant.id,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, ended] = await once(child, 'exit')
  expect(ended).toBe('SIGKILL')
  // Microsoft has given the next refresh token, and nobody has it.
  const tokens = () => simulator.calls.filter(({ path: asked }) => asked.endsWith('/token')).map(({ status }) => status)
  expect(tokens()).toEqual([200])
  simulator.expireAccessTokens()
  // The right to refresh that the killed node had ends by its own clock, which went on meanwhile.
  clock.advance(600_000)
  await using service = await open()
  const record = await getGrant(service.services.database, grant.application, grant.id)
  if (!record) throw new Error('no grant')
  const use = { queries: service.services.database, signal: () => signal, responseHeaders: {} }
  const session = service.services.sessions.open(record, 'folders.list', use) as Session
  await session.execute('GET', session.mailbox)
  expect(tokens()).toEqual([200, 200])
  const { body } = await service.call('GET', `/v3/grants/${grant.id}`, { key: grant.key })
  expect(body.data.grant_status).toBe('valid')
})
