/** Several real processes behind one port, on PostgreSQL. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { runProcess } from '../command-line.ts'
import { eventually, isAlive, type Running, startProcesses } from './running.ts'

const admin = 'a-password-for-the-tests'
const settings = { WAYPOST_ADMIN_PASSWORD: admin }

interface Asked {
  status: number
  node: string
  isRetained: boolean
}

/** Requests `/ready`, which names the node that responds. */
const ask = (base: string, agent?: Agent): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const requested = request(`${base}/ready`, agent ? { agent } : { headers: { connection: 'close' } }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      response.on('end', () => {
        const isRetained = response.headers.connection !== 'close'
        resolve({ status: response.statusCode ?? 0, node: JSON.parse(body).data?.node ?? '', isRetained })
      })
    })
    requested.on('error', reject).end()
  })

const nodesOf = async (base: string): Promise<Set<string>> =>
  new Set((await Promise.all(Array.from({ length: 12 }, () => ask(base)))).map(({ node }) => node))

const pidsOf = (running: Running, count: number): number[] =>
  Array.from({ length: count }, (_, index) => running.processAt(index + 1))

describe.concurrent('several processes', { timeout: 240_000 }, () => {
  test('share one port, print the addresses once, and are nodes of their own', async () => {
    await using running = await startProcesses(3, settings)
    await eventually(async () => expect((await nodesOf(running.base)).size).toBe(3))
    expect(running.output().match(/Waypost is running on PostgreSQL, in 3 processes/g)).toHaveLength(1)
    expect(running.output().match(/of the sandbox application; shown only once/g)).toHaveLength(1)
    await running.logged('ready', 3)
    const ready = running.log().filter(({ msg }) => msg === 'ready')
    expect(ready.map(({ process }) => process).toSorted()).toEqual([1, 2, 3])
    const authorization = `Basic ${Buffer.from(`admin:${admin}`).toString('base64')}`
    const health = await fetch(`${running.base}/v3/admin/health`, { headers: { authorization } })
    for (const number of [1, 2, 3]) expect(await health.clone().text()).toMatch(new RegExp(`"host":"[^"]+#${number}"`))
  })

  test('report the figures of all of them on one page', async () => {
    await using running = await startProcesses(2, settings)
    await nodesOf(running.base)
    const text = await (await fetch(`${running.base}/metrics`)).text()
    for (const process of ['1', '2']) {
      expect(text).toMatch(new RegExp(`waypost_http_requests_total\\{[^}]*process="${process}"\\} [1-9]`))
      expect(text).toContain(`waypost_process_resident_memory_bytes{process="${process}"}`)
    }
    expect(text).toContain('waypost_processes{state="ready"} 2')
    expect(text.match(/^waypost_outbox_jobs/gm)).toHaveLength(1)
  })

  test('a killed process is replaced, and the others go on answering', async () => {
    await using running = await startProcesses(2)
    await running.logged('ready', 2)
    const [, victim = 0] = pidsOf(running, 2)
    process.kill(victim, 'SIGKILL')
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(running.base)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await running.logged('ready', 3)
    expect(running.processAt(2)).not.toBe(victim)
    expect(running.log()).toContainEqual(
      expect.objectContaining({ msg: 'a process crashed; it is replaced', place: 2, pid: victim }),
    )
  })

  test('a process that hangs is killed and replaced, and connections it had not taken are answered by others', async () => {
    await using running = await startProcesses(2)
    await running.logged('ready', 2)
    const [, victim = 0] = pidsOf(running, 2)
    process.kill(victim, 'SIGSTOP')
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(running.base)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await running.logged('a process does not answer; it is killed and replaced')
    await running.logged('ready', 3)
    expect(isAlive(victim)).toBe(false)
  })

  test('SIGHUP replaces all processes, and cuts off no client with a persistent connection', async () => {
    await using running = await startProcesses(2)
    await running.logged('ready', 2)
    const before = pidsOf(running, 2)
    let isOver = false
    const agent = new Agent({ keepAlive: true })
    const client = async (): Promise<number[]> => {
      const statuses: number[] = []
      while (!isOver) {
        statuses.push((await ask(running.base, agent)).status)
        // The processes that start need the processors more than the clients.
        await sleep(20)
      }
      return statuses
    }
    const clients = Array.from({ length: 6 }, client)
    running.signal('SIGHUP')
    await running.logged('all processes were replaced')
    isOver = true
    const statuses = (await Promise.all(clients)).flat()
    agent.destroy()
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(pidsOf(running, 2)).not.toEqual(before)
    expect(before.some(isAlive)).toBe(false)
  })

  test('SIGTERM ends all processes with status 0, and the port with them', async () => {
    await using running = await startProcesses(2)
    await running.logged('ready', 2)
    const pids = pidsOf(running, 2)
    running.signal('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, signal: null })
    expect(pids.some(isAlive)).toBe(false)
    expect(running.log().filter(({ msg }) => msg === 'stopped')).toHaveLength(2)
    await expect(ask(running.base)).rejects.toThrow(/ECONNREFUSED/)
  })

  test('a second signal ends everything at once', async () => {
    await using running = await startProcesses(2, { WAYPOST_SHUTDOWN_ANNOUNCE_MS: '60000' })
    await running.logged('ready', 2)
    const pids = pidsOf(running, 2)
    running.signal('SIGTERM')
    await eventually(async () => expect((await ask(running.base)).status).toBe(503))
    running.signal('SIGTERM')
    expect(await running.ended).toEqual({ code: 143, signal: null })
    await eventually(() => expect(pids.some(isAlive)).toBe(false))
  })

  test('the processes of a supervisor that was killed end by themselves', async () => {
    await using running = await startProcesses(2, { WAYPOST_SHUTDOWN_ANNOUNCE_MS: '60000' })
    await running.logged('ready', 2)
    const pids = pidsOf(running, 2)
    process.kill(running.pid, 'SIGKILL')
    await eventually(() => expect(pids.some(isAlive)).toBe(false))
    await expect(ask(running.base)).rejects.toThrow(/ECONNREFUSED/)
  })

  test('a store that cannot be reached ends the supervisor with the error of the first process', async () => {
    const { code, stderr, stdout } = await runProcess(['serve'], {
      ...{ WAYPOST_WORKERS: '3', WAYPOST_PORT: '0' },
      DATABASE_URL: 'postgres://waypost:CANARY@127.0.0.1:1/none',
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.match(/PostgreSQL cannot be reached/g)).toHaveLength(1)
  })
})
