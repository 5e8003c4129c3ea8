/** `deploy/disaster-test.sh`, as an operator runs it, on both stores. */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@waypost/testing/peers/daemon'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { findPostgres, postgresFolders } from '@waypost/testing/peers/debian'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { describe, expect, test, vi } from 'vitest'

const script = fileURLToPath(new URL('../../../deploy/disaster-test.sh', import.meta.url))
const apiKey = 'wpk_of_the_disaster_test_0123456789'

/** A service in its own process, with one grant. */
async function serve(env: Record<string, string>): Promise<AsyncDisposable> {
  const port = await freePort()
  const all = { ...processEnvironment, ...env, WAYPOST_PORT: String(port), WAYPOST_API_KEY: apiKey }
  const child = spawn(process.execPath, [await programFile('waypost'), 'serve'], { env: all, stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await fetch(`${base}/ready`)).status).toBe(200))
  const post = async (to: string, body: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    expect((await fetch(`${base}${to}`, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBeLessThan(
      300,
    )
  }
  await post('/v3/connectors', { provider: 'virtual-calendar' })
  await post('/v3/connect/custom', { provider: 'virtual-calendar', settings: { email: 'room-7' } })
  return {
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function disasterTest(env: Record<string, string>, ...args: string[]): Promise<string> {
  const waypost = `${process.execPath} ${await programFile('waypost')}`
  const settings = { ...processEnvironment, ...env, WAYPOST: waypost, DISASTER_TEST_PORT: String(await freePort()) }
  const { stdout } = await promisify(execFile)('bash', [script, ...args], { env: settings, timeout: 120_000 })
  return stdout
}

describe('the disaster test', () => {
  test('restores a SQLite store', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-disaster-'))
    const env = { WAYPOST_DATA_DIR: path.join(folder.path, 'data') }
    await using _service = await serve(env)
    expect(await disasterTest(env)).toMatch(/passed: 1 applications are served again/)
  })

  test('restores a PostgreSQL store', async () => {
    const programs = findPostgres(postgresFolders(process.env.PATH ?? ''))
    const env = {
      DATABASE_URL: await freshDatabaseUrl(),
      SCRATCH_DATABASE_URL: await freshDatabaseUrl(),
      WAYPOST_SECRET_KEY: randomBytes(32).toString('base64'),
      PATH: `${path.dirname(programs?.postgres ?? '')}:${process.env.PATH}`,
    }
    await using _service = await serve(env)
    expect(await disasterTest(env)).toMatch(/passed: 1 applications are served again/)
  })

  test('fails if the key does not decrypt the backup', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-disaster-'))
    const env = { WAYPOST_DATA_DIR: path.join(folder.path, 'data') }
    await using _service = await serve(env)
    const wrong = { ...env, WAYPOST_SECRET_KEY: randomBytes(32).toString('base64') }
    await expect(disasterTest(wrong)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not open'),
    })
  })
})
