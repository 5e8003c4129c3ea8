/** An Idempotency-Key survives the death of the process: each request has one effect. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { enginesFor } from '@waypost/testing/engines'
import { isFull } from '@waypost/testing/level'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { describe, expect, test } from 'vitest'

const uris = '/v3/applications/redirect-uris'

interface Served {
  child: ChildProcess
  address: string
}

const apiKey = 'wpk_sandbox_abcdefgh_CANARY-key-of-the-killed-server'

/** Runs the real command on a free port. */
async function serve(env: Record<string, string>): Promise<Served> {
  const child = spawn(process.execPath, [await programFile('waypost'), 'serve'], {
    env: {
      ...processEnvironment,
      WAYPOST_PORT: '0',
      WAYPOST_API_KEY: apiKey,
      WAYPOST_RATE_LIMITS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const address = /^\s+API\s+(http:\S+)$/m.exec(output)?.[1]
    if (address) resolve(address)
  })
  child.once('exit', () => reject(new Error(`the server ended: ${output}`)))
  return { child, address: await promise }
}

async function kill({ child }: Served): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

interface Reply {
  status: number
  replay: boolean
  body: { request_id: string; data: { id: string }; error?: { type: string } }
}

async function register(address: string, name: string): Promise<Reply> {
  const response = await fetch(`${address}${uris}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({ url: `https://app.test/${name}` }),
  })
  const body = (await response.json()) as Reply['body']
  return { status: response.status, replay: response.headers.get('idempotent-response') === 'true', body }
}

/** Repeats a request as a client should, while the first is in flight or the server is busy. */
async function insist(address: string, name: string): Promise<Reply> {
  for (;;) {
    const reply = await register(address, name)
    if (reply.status !== 503 && reply.body.error?.type !== 'api.concurrent_idempotent_request') return reply
    await sleep(250)
  }
}

describe('a server killed in the middle of requests', () => {
  test.concurrent.for(enginesFor(import.meta.url))(
    'has done each of them once or not at all, and no key is stuck, on %s',
    async (engine) => {
      await using store = await migratedStore(engine)
      const env: Record<string, string> = {
        WAYPOST_DATA_DIR: store.dataDir,
        ...(store.databaseUrl ? { DATABASE_URL: store.databaseUrl } : {}),
      }
      const answered = new Map<string, Reply>()
      const names: string[] = []
      // The number of responses before the kill; the other requests are then in progress.
      const rounds = isFull ? [1, 10, 25] : [10]
      let server = await serve(env)
      try {
        for (const [round, max] of rounds.entries()) {
          const mine = Array.from({ length: 40 }, (_, n) => `round-${round}-${n}`)
          names.push(...mine)
          const enough = Promise.withResolvers<void>()
          let arrived = 0
          const requested = mine.map(async (name) => {
            const reply = await register(server.address, name).catch(() => undefined)
            if (reply && reply.status !== 503) answered.set(name, reply)
            if (++arrived === max) enough.resolve()
          })
          await enough.promise
          await kill(server)
          await Promise.all(requested)
          server = await serve(env)
        }
        const again = new Map(
          await Promise.all(names.map(async (name) => [name, await insist(server.address, name)] as const)),
        )
        for (const name of names) {
          // A change without its response would now conflict with itself.
          expect(again.get(name)?.status, name).toBe(200)
          const before = answered.get(name)
          if (before) expect(again.get(name), name).toEqual({ ...before, replay: true })
        }
        const response = await fetch(`${server.address}${uris}`, { headers: { authorization: `Bearer ${apiKey}` } })
        const { data } = (await response.json()) as { data: { id: string; url: string }[] }
        expect(data.map((uri) => uri.url).sort()).toEqual(names.map((name) => `https://app.test/${name}`).sort())
      } finally {
        await kill(server)
      }
    },
  )
})
