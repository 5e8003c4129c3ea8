/** The data of the measured service: several applications with keys and many grants, and requests for all of them. */
import path from 'node:path'
import { openPostgresql } from '../../packages/store/src/engine/postgresql.ts'
import { openSqlite } from '../../packages/store/src/engine/sqlite.ts'
import { type Client, newClient } from '../client.ts'
import { copyRow } from '../growth/seed.ts'
import type { ServiceProcess } from '../service-process.ts'

const applications = 4
const grantsPerApplication = 2_500
const keysPerApplication = 2
const pageSize = 50
const requestsInList = 10_000
/** One request in this many changes a grant. */
const writeEvery = 100

/** About 700 bytes of metadata, so that a grant has 1.2 KB and a page of 50 has 60. */
const metadataOf = (mark: string): Record<string, string> =>
  Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`key${n}`, mark.repeat(130)]))

interface Tenant {
  keys: readonly string[]
  grantIds: readonly string[]
  /** The queries of all pages of its grants. */
  pages: readonly string[]
}

/** Grant ids in the form of a UUID: the template's own, and those that `fill` copies from it. */
const copiedId = (templateId: string, n: number): string => `${templateId.slice(0, 24)}${100_000_000_000 + n}`

async function addTenant(service: ServiceProcess, databaseUrl: string | undefined): Promise<Tenant> {
  const client = await newClient((target, request) => fetch(`${service.base}${target}`, request), keysPerApplication)
  await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const draft = { provider: 'virtual-calendar', settings: { email: 'template@rooms.example' } }
  const template = (await client.call('POST', '/v3/connect/custom', draft)).data.id
  await client.call('PATCH', `/v3/grants/${template}`, { metadata: metadataOf('x') })
  const id = 'substr(o.id, 1, 24) || cast(100000000000 + n as text)'
  await using database = databaseUrl
    ? openPostgresql(databaseUrl, () => undefined)
    : openSqlite(path.join(service.dataDir, 'waypost.db'))
  await copyRow(database, {
    table: 'grants',
    where: `o.application_id = '${client.applicationId}' and o.id = '${template}'`,
    changes: {
      id,
      email_key: `'room-' || n || '@rooms.example'`,
      created_at: 'o.created_at - n',
      updated_at: 'o.updated_at - n',
      document: `replace(replace(o.document, o.id, ${id}), 'template@', 'room-' || n || '@')`,
    },
    count: grantsPerApplication - 1,
  })
  if (database.engine === 'postgresql') await database.execute('analyze grants')
  const grantIds = [template, ...Array.from({ length: grantsPerApplication - 1 }, (_, n) => copiedId(template, n))]
  return { keys: client.keys, grantIds, pages: await pagesOf(client) }
}

async function pagesOf({ call }: Client): Promise<string[]> {
  const pages: string[] = []
  let query = `limit=${pageSize}`
  for (;;) {
    pages.push(query)
    const { next_cursor: cursor } = await call('GET', `/v3/grants?${query}`)
    if (cursor === undefined) return pages
    query = `limit=${pageSize}&page_token=${cursor}`
  }
}

/** Creates the applications in sequence. */
export async function fill(service: ServiceProcess, databaseUrl: string | undefined): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  for (let n = 0; n < applications; n++) tenants.push(await addTenant(service, databaseUrl))
  return tenants
}

/** Pseudo-random numbers, the same in every run, each from 0 to 1, exclusive. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const headOf = (method: string, target: string, key: string): string =>
  `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n`

function patchOf(key: string, grantId: string, mark: string): string {
  const body = JSON.stringify({ metadata: metadataOf(mark) })
  const head = headOf('PATCH', `/v3/grants/${grantId}`, key)
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/**
 * Reads of one kind. `same` repeats one request; the others select applications, keys and grants at random, with
 * writes.
 */
export function requestsOf(tenants: readonly Tenant[], kind: 'grant' | 'page' | 'same'): string[] {
  const random = numbersFrom(1)
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const [first] = tenants
  if (kind === 'same') return [`${headOf('GET', `/v3/grants/${first?.grantIds[0]}`, first?.keys[0] ?? '')}\r\n`]
  return Array.from({ length: requestsInList }, (_, at) => {
    const { keys, grantIds, pages } = oneOf(tenants)
    const key = oneOf(keys)
    if (at % writeEvery === writeEvery - 1) return patchOf(key, oneOf(grantIds), oneOf(['x', 'y', 'z']))
    const target = kind === 'grant' ? `/v3/grants/${oneOf(grantIds)}` : `/v3/grants?${oneOf(pages)}`
    return `${headOf('GET', target, key)}\r\n`
  })
}
