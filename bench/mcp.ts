/**
 * The processor time of a tool call, compared with the API call that the tool makes. Both run in turn in the same
 * process, with the same restricted keys, for several applications, accounts and pages. Each round also writes, so
 * that nothing is answered from an unchanged store. Read only the ratio.
 *
 *   npm run bench:mcp [-- --quick] [-- --json]
 */
import { adminPassword } from './client.ts'
import { median, quick, report, rowOf } from './figures.ts'
import { cpuOf, startServiceProcess } from './service-process.ts'

const rounds = quick ? 6 : 24
const callsPerRound = quick ? 160 : 240
const applications = 3
const accountsEach = 2
const eventsEach = quick ? 60 : 120
const start = 1_800_000_000

interface Account {
  key: string
  grant: string
  session: string
}

await using service = await startServiceProcess()
const { base, pid } = service

const ask = async (path: string, method: string, headers: Record<string, string>, body?: unknown): Promise<Response> =>
  fetch(`${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

async function must<T>(response: Promise<Response>): Promise<T> {
  const answer = await response
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`)
  const found = JSON.parse(text)
  if (found.error || found.result?.isError) throw new Error(text)
  return found
}

const admin = { authorization: `Basic ${btoa(`admin:${adminPassword}`)}` }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const event = (at: number) => ({
  title: `Meeting ${at}`,
  when: { start_time: start + at * 3600, end_time: start + at * 3600 + 1800 },
})

async function openAccounts(): Promise<Account[]> {
  type Made = { data: { application_id: string; api_key: string; id: string } }
  const accounts: Account[] = []
  for (let n = 0; n < applications; n++) {
    const { data } = await must<Made>(ask('/v3/admin/applications', 'POST', admin, { name: `Application ${n}` }))
    const keys = `/v3/admin/applications/${data.application_id}/api-keys`
    const { data: full } = await must<Made>(ask(keys, 'POST', admin, { name: 'all' }))
    const call = (path: string, method: string, body: unknown) =>
      must<Made>(ask(path, method, bearer(full.api_key), body))
    await call('/v3/applications', 'PATCH', { mcp_enabled: true })
    await call('/v3/connectors', 'POST', { provider: 'virtual-calendar' })
    for (let m = 0; m < accountsEach; m++) {
      const settings = { email: `person${m}@example.com` }
      const grant = (await call('/v3/connect/custom', 'POST', { provider: 'virtual-calendar', settings })).data.id
      await call(`/v3/grants/${grant}/calendars`, 'POST', { name: 'Work', timezone: 'UTC' })
      for (let k = 0; k < eventsEach; k++)
        await call(`/v3/grants/${grant}/events?calendar_id=primary`, 'POST', event(k))
      const rights = { operations: ['calendar.read', 'calendar.write', 'mcp'], grants: { ids: [grant] } }
      const made = await must<Made>(ask(keys, 'POST', admin, { name: `agent ${m}`, rights }))
      accounts.push({ key: made.data.api_key, grant, session: await openSession(made.data.api_key) })
    }
  }
  return accounts
}

/** The session of a client of the older protocol generation. */
async function openSession(key: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
  const answer = await ask(
    '/mcp',
    'POST',
    { ...bearer(key), accept },
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
  )
  await answer.text()
  return answer.headers.get('mcp-session-id') ?? ''
}

const accept = 'application/json, text/event-stream'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Way = (account: Account, name: string, args: Record<string, unknown>) => Promise<unknown>
const modern: Way = ({ key }, name, args) =>
  must(
    ask(
      '/mcp',
      'POST',
      { ...bearer(key), accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } },
    ),
  )
const older: Way = ({ key, session }, name, args) =>
  must(
    ask(
      '/mcp',
      'POST',
      { ...bearer(key), accept, 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': session },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    ),
  )

const accounts = await openAccounts()

/** One kind of work: as a call of the API, and as the tool that makes this call. */
interface Work {
  what: string
  api(account: Account, n: number): Promise<unknown>
  tool: string
  args(n: number): Record<string, unknown>
}
const works: Work[] = [
  {
    what: 'read 25 events',
    api: ({ key, grant }, n) => {
      const from = start + (n % 30) * 3600
      const query = `calendar_id=primary&start=${from}&end=${from + 90_000}&expand_recurring=true&limit=25`
      return must(ask(`/v3/grants/${grant}/events?${query}`, 'GET', bearer(key)))
    },
    tool: 'find_events',
    args: (n) => {
      const from = start + (n % 30) * 3600
      return { calendar_id: 'primary', start: from, end: from + 90_000, limit: 25 }
    },
  },
  {
    what: 'create an event',
    api: ({ key, grant }, n) =>
      must(ask(`/v3/grants/${grant}/events?calendar_id=primary`, 'POST', bearer(key), event(1000 + n))),
    tool: 'create_event',
    args: (n) => {
      const { title, when } = event(1000 + n)
      return { calendar_id: 'primary', title, start: when.start_time, end: when.end_time }
    },
  },
]

/** Processor time of the service for one call, in microseconds. */
async function costOf(call: (account: Account, n: number) => Promise<unknown>, round: number): Promise<number> {
  const before = cpuOf(pid)
  let next = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < callsPerRound) {
        const n = next++
        await call(accounts[(n + round) % accounts.length] as Account, n * rounds + round)
      }
    }),
  )
  return (cpuOf(pid) - before) / callsPerRound
}

const rows = []
for (const { what, api, tool, args } of works) {
  const ways: [string, Way][] = [
    ['2026-07-28', modern],
    ['2025-11-25', older],
  ]
  const costs = { api: [] as number[], ways: ways.map((): number[] => []) }
  for (let round = 0; round < rounds; round++) {
    const plain = await costOf(api, round)
    const called: number[] = []
    for (const [, way] of ways) called.push(await costOf((account, n) => way(account, tool, args(n)), round))
    // The first quarter warms up.
    if (round < rounds / 4) continue
    costs.api.push(plain)
    for (const [at, cost] of called.entries()) costs.ways[at]?.push(cost)
  }
  for (const [at, [version]] of ways.entries()) {
    const figures = costs.ways[at] ?? []
    const pairs = figures.map((figure, round) => figure / (costs.api[round] ?? 1))
    rows.push(
      rowOf(`tool call, ${what}, ${version}`, {
        store: 'sqlite',
        figure: median(figures),
        floor: median(costs.api),
        ratio: median(pairs),
        unit: 'µs of processor time',
        aim: '<= 1.30',
      }),
    )
  }
}
report(rows)
