/** The driver on both engines, and every query with real data. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Grant } from '@waypost/contract'
import { codePoint } from '@waypost/testing/code-points'
import { type Engine, engines } from '@waypost/testing/engines'
import { isCheck, runs } from '@waypost/testing/level'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Database, StoreUnavailable } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'
import { migrate } from '../../src/migrations/migrate.ts'
import { dataSealedColumns, replaceSealedValue, sealedColumns, sealedValues } from '../../src/sealing/sealed-values.ts'
import {
  type ApiKeyRow,
  findKeyHolder,
  getApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  touchApiKey,
} from '../../src/tables/applications/api-keys.ts'
import { addUpCounts, readCounts } from '../../src/tables/applications/application-counts.ts'
import {
  type ApplicationRow,
  getApplication,
  insertApplication,
  isKnownOrigin,
  isOriginOf,
  listApplications,
  lockApplication,
  replaceOrigins,
  updateApplication,
} from '../../src/tables/applications/applications.ts'
import { billedByMonth, monthOf, startBilling, stopBilling } from '../../src/tables/applications/billing-periods.ts'
import {
  type ConnectorRow,
  deleteConnector,
  getConnector,
  insertConnector,
  listConnectors,
  updateConnector,
} from '../../src/tables/applications/connectors.ts'
import {
  type CredentialRow,
  deleteCredential,
  findCredential,
  getCredential,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../src/tables/applications/credentials.ts'
import {
  abandonIdempotencyKeys,
  claimIdempotencyKey,
  completeIdempotencyKey,
  leaveIdempotencyKey,
  purgeIdempotencyKeys,
  readIdempotencyKey,
  releaseIdempotencyKey,
  takeOverIdempotencyKey,
} from '../../src/tables/applications/idempotency-keys.ts'
import { keepFact, readFact, writeFact } from '../../src/tables/applications/installation.ts'
import { beatNode, forgetDeadNodes, leaveNode, liveNodes, nodeLeaseMs } from '../../src/tables/applications/nodes.ts'
import {
  deleteRedirectUri,
  findRedirectUri,
  getRedirectUri,
  insertRedirectUri,
  listRedirectUris,
  type RedirectUriRow,
  updateRedirectUri,
} from '../../src/tables/applications/redirect-uris.ts'
import {
  type GrantFilter,
  type GrantPage,
  type GrantPosition,
  readGrantPage,
} from '../../src/tables/grants/grant-pages.ts'
import {
  countGrants,
  deleteGrant,
  findGrant,
  findGrantByEmail,
  findGrantByExternalId,
  findGrantDocument,
  type GrantRecord,
  getGrant,
  grantsOfConnector,
  grantsOfCredential,
  grantsToPurge,
  insertGrant,
  updateGrant,
} from '../../src/tables/grants/grants.ts'
import { readCatalogue } from '../statements/catalogue.ts'

async function openStore(engine: Engine): Promise<Database> {
  if (engine === 'postgresql') return openPostgresql(await emptyPostgres(), () => undefined)
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-store-'))
  const database = openSqlite(path.join(folder.path, 'waypost.db'))
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const now = 1_760_000_000_000

function applicationRow(changes: Partial<ApplicationRow> = {}): ApplicationRow {
  return {
    id: randomUUID(),
    environment: 'production',
    default_workspace_id: randomUUID(),
    grant_limit: null,
    blocked: 0,
    domain: null,
    branding: '{"name":"Zoë\'s \\"app\\""}',
    hosted_authentication: '{}',
    idp_settings: '{}',
    additional_settings: '{}',
    notification_stream_until: 0,
    mcp_enabled: 0,
    notification_days: null,
    created_at: now,
    updated_at: now,
    ...changes,
  }
}

function grantRecord(applicationId: string, changes: Partial<GrantRecord> = {}, fields: Partial<Grant> = {}) {
  const id = randomUUID()
  const grant: Grant = {
    id,
    provider: 'virtual-calendar',
    grant_status: 'valid',
    email: `${id}@example.com`,
    name: null,
    scope: [],
    user_agent: null,
    ip: null,
    state: null,
    settings: {},
    metadata: {},
    provider_user_id: null,
    external_id: null,
    credential_id: null,
    workspace_id: 'workspace',
    blocked: false,
    created_at: now / 1000,
    updated_at: now / 1000,
    ...fields,
  }
  const record: GrantRecord = {
    grant,
    applicationId,
    connectorId: 'connector',
    emailKey: grant.email,
    status: grant.grant_status,
    sealedCredentials: null,
    purgeAt: null,
    createdAt: now,
    updatedAt: now,
    ...changes,
  }
  return record
}

const put = sql('notes.put', 'insert into notes (id, text, number) values ($1, $2, $3)')
const read = sql<{ id: string; text: string | null; number: number | null }>(
  'notes.read',
  'select id, text, number from notes where id = $1',
)
const like = sql<{ id: string }>('notes.like', 'select id from notes where id like $1 order by id')
const count = sql<{ n: number }>('notes.count', 'select count(*) as n from notes where id like $1')
const add = sql('notes.add', 'update notes set number = $2 where id = $1')
const wrong = sql('notes.wrong', 'insert into notes (id, text, number) values (null, null, null)')

describe.each(engines)('the driver on %s', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openStore(engine)
    await database.execute('create table notes (id text primary key not null, text text, number bigint)')
  })
  afterAll(() => database[Symbol.asyncDispose]())

  const idsLike = async (pattern: string): Promise<string[]> =>
    (await database.all(like, [pattern])).map((row) => row.id)

  test('reads one row, all rows or none, and returns the number of changed rows', async () => {
    expect(await database.run(put, ['plain-1', 'one', 1])).toBe(1)
    expect(await database.run(put, ['plain-2', null, null])).toBe(1)
    expect(await database.get(read, ['plain-1'])).toEqual({ id: 'plain-1', text: 'one', number: 1 })
    expect(await database.get(read, ['plain-2'])).toEqual({ id: 'plain-2', text: null, number: null })
    expect(await database.get(read, ['absent'])).toBeUndefined()
    expect(await idsLike('plain-%')).toEqual(['plain-1', 'plain-2'])
    expect(await idsLike('absent-%')).toEqual([])
    expect(await database.run(add, ['absent', 1])).toBe(0)
  })

  test('stores nothing of a transaction that throws, and everything of one that does not', async () => {
    const failure = new Error('changed my mind')
    const attempt = database.transaction(async (tx) => {
      await tx.run(put, ['undone-1', 'x', 1])
      expect(await tx.get(count, ['undone-%'])).toEqual({ n: 1 })
      await tx.run(put, ['undone-2', 'x', 2])
      throw failure
    })
    await expect(attempt).rejects.toBe(failure)
    expect(await idsLike('undone-%')).toEqual([])
    const answer = await database.transaction(async (tx) => {
      await tx.run(put, ['done-1', 'x', 1])
      await tx.run(put, ['done-2', 'x', 2])
      return 'kept'
    })
    expect(answer).toBe('kept')
    expect(await idsLike('done-%')).toEqual(['done-1', 'done-2'])
  })

  test('stores nothing of a transaction in which a statement fails, and keeps working', async () => {
    const attempt = database.transaction(async (tx) => {
      await tx.run(put, ['broken-1', 'x', 1])
      await tx.run(wrong)
    })
    await expect(attempt).rejects.toThrow(/not.null/i)
    await expect(attempt).rejects.not.toBeInstanceOf(StoreUnavailable)
    expect(await idsLike('broken-%')).toEqual([])
    expect(await database.run(put, ['broken-2', 'x', 1])).toBe(1)
  })

  test('a reader never sees half a transaction', async () => {
    const seen = new Set<number>()
    let over = false
    const reading = (async () => {
      while (!over) {
        seen.add((await database.get(count, ['half-%']))?.n ?? -1)
        await nextTurn()
      }
    })()
    for (let round = 0; round < 20; round++) {
      await database.transaction(async (tx) => {
        await tx.run(put, [`half-${round}-a`, null, null])
        for (let turn = 0; turn < 5; turn++) await nextTurn()
        await database.get(count, ['half-%']).then((row) => seen.add(row?.n ?? -1))
        await tx.run(put, [`half-${round}-b`, null, null])
      })
      seen.add((await database.get(count, ['half-%']))?.n ?? -1)
    }
    over = true
    await reading
    expect([...seen].filter((number) => number % 2 !== 0)).toEqual([])
    expect(Math.max(...seen)).toBe(40)
  })

  test('concurrent transactions do not mix', async () => {
    const work = Array.from({ length: 30 }, (_, index) =>
      database.transaction(async (tx) => {
        await tx.run(put, [`mixed-${index}-a`, null, null])
        await nextTurn()
        await tx.run(put, [`mixed-${index}-b`, null, null])
        if (index % 2 === 1) throw new Error('no')
      }),
    )
    const ends = await Promise.allSettled(work)
    expect(ends.map((end) => end.status)).toEqual(work.map((_, index) => (index % 2 === 1 ? 'rejected' : 'fulfilled')))
    const retained = Array.from({ length: 15 }, (_, index) => [`mixed-${2 * index}-a`, `mixed-${2 * index}-b`]).flat()
    expect(await idsLike('mixed-%')).toEqual(retained.sort())
  })

  test('a write outside a transaction is not rolled back with it', async () => {
    let beside: Promise<unknown> = Promise.resolve()
    const attempt = database.transaction(async (tx) => {
      await tx.run(put, ['beside-inside', null, null])
      // Not awaited in here: on SQLite it waits for its turn.
      beside = Promise.all([
        database.run(put, ['beside-run', null, null]),
        database.execute("insert into notes (id) values ('beside-script')"),
      ])
      await nextTurn()
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    await beside
    expect(await idsLike('beside-%')).toEqual(['beside-run', 'beside-script'])
  })

  test('transactions that lock the same row first lose no update', async () => {
    await database.run(put, ['counter', null, 0])
    const lock = sql('notes.lock', 'update notes set id = id where id = $1')
    const increment = () =>
      database.transaction(async (tx) => {
        await tx.run(lock, ['counter'])
        const before = (await tx.get(read, ['counter']))?.number ?? 0
        await nextTurn()
        await tx.run(add, ['counter', before + 1])
      })
    await Promise.all(Array.from({ length: 40 }, increment))
    expect((await database.get(read, ['counter']))?.number).toBe(40)
  })

  test('bigints are returned as numbers, up to the largest safe one', async () => {
    for (const number of [0, -1, 2 ** 31, now, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      const id = `number-${number}`
      await database.run(put, [id, null, number])
      expect((await database.get(read, [id]))?.number).toBe(number)
    }
    expect(await database.get(count, ['number-%'])).toEqual({ n: 6 })
  })

  /** Stores texts in one transaction and reads each again. */
  async function storeAndRead(texts: readonly string[]): Promise<(string | null | undefined)[]> {
    const ids = texts.map((text) => `${text} ${randomUUID()}`)
    await database.transaction(async (tx) => {
      for (const [index, text] of texts.entries()) await tx.run(put, [ids[index] ?? '', text, null])
    })
    return Promise.all(ids.map(async (id) => (await database.get(read, [id]))?.text))
  }

  test('JSON is returned as the text that was stored', async () => {
    const values = fc.array(fc.jsonValue({ stringUnit: codePoint }), { minLength: 1, maxLength: 20 })
    const property = fc.asyncProperty(values, async (list) => {
      const texts = list.map((value) => JSON.stringify(value))
      expect(await storeAndRead(texts)).toEqual(texts)
    })
    await fc.assert(property, { numRuns: runs(8) })
  })

  test('any text without NUL is returned, and finds its row again', async () => {
    const text = fc.string({ unit: codePoint }).filter((value) => !value.includes('\0'))
    const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
      expect(await storeAndRead(texts)).toEqual(texts)
    })
    await fc.assert(property, { numRuns: runs(8) })
  })

  test('NUL in a text is refused, inside and outside a transaction, and the store keeps working', async () => {
    await expect(database.run(put, ['nul-1', 'a\0b', null])).rejects.toThrow()
    await expect(database.get(read, ['a\0b'])).rejects.toThrow()
    const attempt = database.transaction(async (tx) => {
      await tx.run(put, ['nul-2', null, null])
      await tx.run(put, ['nul-\0', null, null])
    })
    await expect(attempt).rejects.not.toBeInstanceOf(StoreUnavailable)
    await expect(attempt).rejects.toThrow()
    expect(await idsLike('nul-%')).toEqual([])
  })

  test('a fraction and an invalid number are refused by every store, and the store keeps working', async () => {
    const update = sql('test.fraction', 'update notes set number = $2 where id = $1')
    for (const value of [1.5, 0.1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e21]) {
      await expect(database.run(update, ['nobody', value]), `${value}`).rejects.toThrow('$2')
      const attempt = database.transaction((tx) => tx.run(update, ['nobody', value]))
      await expect(attempt, `${value}`).rejects.not.toBeInstanceOf(StoreUnavailable)
    }
    expect(await database.run(update, ['nobody', 2 ** 53 - 1])).toBe(0)
  })

  test('exclusive work runs alone, whether it succeeds or fails', async () => {
    let inside = 0
    let max = 0
    const work = Array.from({ length: 6 }, (_, index) =>
      database.exclusively(async (tx, execute) => {
        max = Math.max(max, ++inside)
        await execute(`insert into notes (id) values ('alone-${index}')`)
        await tx.run(put, [`alone-${index}-too`, null, null])
        await nextTurn()
        inside--
        if (index % 2 === 1) throw new Error('no')
      }),
    )
    await Promise.allSettled(work)
    expect(max).toBe(1)
    const retained = [0, 2, 4].flatMap((index) => [`alone-${index}`, `alone-${index}-too`])
    expect(await idsLike('alone-%')).toEqual(retained)
  })

  test('returns the time', async () => {
    const before = Date.now()
    const now = await database.now()
    // Both clocks are those of this machine, and one may be rounded.
    expect(now).toBeGreaterThanOrEqual(before - 2)
    expect(now).toBeLessThanOrEqual(Date.now() + 2)
  })
})

const failing = [
  ['the first', 1],
  ['a later one', 2],
] as const
test.each(failing)(
  'of transactions of one turn, which share a commit, %s fails alone, and the others are answered when they are kept',
  async (_, failed) => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-store-'))
    const file = path.join(folder.path, 'waypost.db')
    await using database = openSqlite(file)
    await using other = openSqlite(file)
    await database.execute('create table notes (id text primary key not null, text text, number bigint)')
    const seen: unknown[] = []
    const attempts = [1, 2, 3].map(async (index) => {
      await database.transaction(async (tx) => {
        await tx.run(put, [`shared-${index}`, null, null])
        seen.push(await other.get(count, ['shared-%']))
        if (index === failed) throw new Error('no')
      })
      // Reads of one turn share a snapshot.
      await nextTurn()
      return other.get(count, ['shared-%'])
    })
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual([1, 2, 3].map((index) => index === failed))
    expect(seen).toEqual([{ n: 0 }, { n: 0 }, { n: 0 }])
    expect(outcomes[2]).toMatchObject({ value: { n: 2 } })
  },
)

test('two connections that write to one file wait for each other, and delay nothing else', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-store-'))
  const file = path.join(folder.path, 'waypost.db')
  await using database = openSqlite(file)
  await using other = openSqlite(file)
  await database.execute('create table notes (id text primary key not null, text text, number bigint)')
  const release = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const holding = database.transaction(async (tx) => {
    await tx.run(put, ['held-1', null, null])
    entered.resolve()
    await release.promise
  })
  await entered.promise
  const waiting = other.run(put, ['held-2', null, null])
  // SQLite's own wait would have blocked these turns.
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  release.resolve()
  await holding
  expect(await waiting).toBe(1)
  await nextTurn()
  expect(await database.get(count, ['held-%'])).toEqual({ n: 2 })
})

test('a full disk is a transient failure, rolls the transaction back, and the store keeps working', async () => {
  await using database = await openStore('sqlite')
  await database.execute('create table notes (id text primary key not null, text text, number bigint)')
  await database.execute('pragma max_page_count = 20')
  const attempt = database.transaction(async (tx) => {
    for (let index = 0; index < 200; index++) await tx.run(put, [`full-${index}`, 'x'.repeat(4000), null])
  })
  await expect(attempt).rejects.toThrow('the disk is full')
  await expect(attempt).rejects.toBeInstanceOf(StoreUnavailable)
  expect(await database.get(count, ['full-%'])).toEqual({ n: 0 })
  expect(await database.run(put, ['full-fits', null, null])).toBe(1)
})

test('an unreachable PostgreSQL is a transient failure that reveals no password', async () => {
  await using database = openPostgresql('postgres://waypost:CANARY-password@127.0.0.1:1/none', () => undefined)
  for (const attempt of [() => database.get(read, ['x']), () => database.transaction(async () => 1), database.now]) {
    const failure = await attempt().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(String(failure)).not.toContain('CANARY')
  }
})

/** The messages of a PostgreSQL that accepts a connection and is shut down in the same moment. */
function welcomeAndFarewell(): Buffer {
  const message = (kind: string, body: Buffer): Buffer => {
    const head = Buffer.from(`${kind}....`)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const farewell = 'SFATAL\0VFATAL\0C57P02\0Mterminating connection because of crash of another server process\0\0'
  const [accepted, ready] = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]
  return Buffer.concat([accepted, ready, message('E', Buffer.from(farewell))])
}

test('a PostgreSQL that closes a connection as it opens is a transient failure, and no crash', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(welcomeAndFarewell()))
  })
  await using _server = server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await using database = openPostgresql(`postgres://waypost@127.0.0.1:${port}/none`, () => undefined)
  for (let round = 0; round < 3; round++) {
    await expect(database.get(read, ['x'])).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(database.transaction(async (tx) => tx.run(put, ['x']))).rejects.toBeInstanceOf(StoreUnavailable)
  }
})

/** The message with which PostgreSQL refuses a connection while it starts. */
const notYet = (): Buffer => {
  const body = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const head = Buffer.from('E....')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

test.runIf(isCheck)('a PostgreSQL that comes back has no unused connections left open', async () => {
  const url = new URL(await emptyPostgres())
  const { port, hostname } = url
  const open = new Set<Socket>()
  const refused: Socket[] = []
  let connections = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (connections++ < 2) {
      refused.push(socket)
      return void socket.once('data', () => socket.write(notYet()))
    }
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    const far = connect(Number(port), hostname)
    far.on('error', () => undefined)
    socket.pipe(far).pipe(socket)
  })
  await using _server = server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url.port = typeof address === 'object' && address ? String(address.port) : ''
  const database = openPostgresql(url.href, () => undefined)
  const one = sql<{ one: number }>('test.one', 'select 1 as one')
  // In two turns of the event loop, because the reads of one turn are sent together.
  const ask = async () => {
    const first = Promise.allSettled([database.get(one)])
    await nextTurn()
    return [...(await Promise.allSettled([database.get(one)])), ...(await first)]
  }
  expect((await ask()).map((end) => end.status)).toEqual(['rejected', 'rejected'])
  expect((await ask()).map((end) => end.status)).toEqual(['fulfilled', 'fulfilled'])
  // They are closed when their successors already exist.
  for (const socket of refused) socket.end()
  await vi.waitFor(() => expect(refused.map(({ closed }) => closed)).toEqual([true, true]))
  expect((await ask()).map((end) => end.status)).toEqual(['fulfilled', 'fulfilled'])
  expect(connections).toBe(4)
  await database[Symbol.asyncDispose]()
  await vi.waitFor(() => expect(open.size).toBe(0))
})

describe.each(engines)('the queries on %s', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openStore(engine)
    await migrate(database, now)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  async function newApplication(changes: Partial<ApplicationRow> = {}): Promise<ApplicationRow> {
    const row = applicationRow(changes)
    await insertApplication(database, row)
    return row
  }

  test('applications are stored, changed, listed by age and locked', async () => {
    const row = await newApplication({ created_at: now + 1, grant_limit: 5, domain: 'example.com' })
    const older = await newApplication({ created_at: now - 1 })
    expect(await getApplication(database, row.id)).toEqual(row)
    expect(await getApplication(database, 'absent')).toBeUndefined()
    const ids = (await listApplications(database)).map((item) => item.id)
    expect(ids.indexOf(older.id)).toBeLessThan(ids.indexOf(row.id))
    const changed: ApplicationRow = {
      ...row,
      blocked: 1,
      domain: null,
      branding: '{"name":"B"}',
      hosted_authentication: '{"a":1}',
      idp_settings: '{"b":2}',
      additional_settings: '{"c":3}',
      updated_at: now + 9,
    }
    await updateApplication(database, changed)
    expect(await getApplication(database, row.id)).toEqual(changed)
    expect(await getApplication(database, older.id)).toEqual(older)
    await database.transaction(async (tx) => {
      expect(await lockApplication(tx, row.id)).toBe(true)
      expect(await lockApplication(tx, 'absent')).toBe(false)
    })
  })

  test('origins are replaced as a whole and found by owner', async () => {
    const [one, two] = [await newApplication(), await newApplication()]
    const origin = `https://${one.id}.example.com`
    await replaceOrigins(database, one.id, [origin, origin, 'https://shared.example.com'])
    await replaceOrigins(database, two.id, ['https://shared.example.com'])
    expect(await isKnownOrigin(database, origin)).toBe(true)
    expect(await isOriginOf(database, one.id, origin)).toBe(true)
    expect(await isOriginOf(database, two.id, origin)).toBe(false)
    await replaceOrigins(database, one.id, [])
    expect(await isKnownOrigin(database, origin)).toBe(false)
    expect(await isKnownOrigin(database, 'https://shared.example.com')).toBe(true)
    expect(await isOriginOf(database, two.id, 'https://shared.example.com')).toBe(true)
  })

  test('API keys are found by their hash, touched, and revoked once', async () => {
    const [owner, other] = [await newApplication({ grant_limit: 5, blocked: 1 }), await newApplication()]
    const key: ApiKeyRow = {
      id: randomUUID(),
      application_id: owner.id,
      name: 'Key',
      hint: 'wpk_…',
      hash: randomUUID(),
      expires_at: now + 5,
      revoked_at: null,
      last_used_at: null,
      created_at: now,
      updated_at: now,
      creator: 'person',
      creator_person_id: randomUUID(),
      creator_name: 'Ada',
      rights: null,
    }
    const later = { ...key, id: randomUUID(), hash: randomUUID(), created_at: now + 1 }
    await insertApiKey(database, later)
    await insertApiKey(database, key)
    await expect(insertApiKey(database, { ...key, id: randomUUID() })).rejects.toThrow(/unique/i)
    expect(await listApiKeys(database, owner.id)).toEqual([key, later])
    expect(await listApiKeys(database, other.id)).toEqual([])
    expect(await getApiKey(database, owner.id, key.id)).toEqual(key)
    expect(await getApiKey(database, other.id, key.id)).toBeUndefined()
    expect(await touchApiKey(database, { applicationId: other.id, id: key.id }, now + 2)).toBe(0)
    expect(await touchApiKey(database, { applicationId: owner.id, id: key.id }, now + 2)).toBe(1)
    expect(await revokeApiKey(database, other.id, key.id, now + 3)).toBe(0)
    expect(await revokeApiKey(database, owner.id, key.id, now + 3)).toBe(1)
    expect(await revokeApiKey(database, owner.id, key.id, now + 4)).toBe(0)
    const revoked = { ...key, last_used_at: now + 2, revoked_at: now + 3, updated_at: now + 3 }
    expect(await getApiKey(database, owner.id, key.id)).toEqual(revoked)
    expect(await findKeyHolder(database, key.hash)).toEqual({
      key_id: key.id,
      expires_at: now + 5,
      revoked_at: now + 3,
      application_id: owner.id,
      environment: owner.environment,
      default_workspace_id: owner.default_workspace_id,
      grant_limit: 5,
      blocked: 1,
      mcp_enabled: 0,
      additional_settings: owner.additional_settings,
    })
    expect(await findKeyHolder(database, 'absent')).toBeUndefined()
  })

  test('redirect URIs are unique in an application and belong to it', async () => {
    const [owner, other] = [await newApplication(), await newApplication()]
    const row: RedirectUriRow = {
      id: randomUUID(),
      application_id: owner.id,
      platform: 'web',
      url: 'https://example.com/back',
      settings: '{}',
      created_at: now,
      updated_at: now,
    }
    expect(await insertRedirectUri(database, row)).toBe(true)
    expect(await insertRedirectUri(database, { ...row, id: randomUUID() })).toBe(false)
    const twin = { ...row, id: randomUUID(), application_id: other.id }
    expect(await insertRedirectUri(database, twin)).toBe(true)
    expect(await listRedirectUris(database, owner.id)).toEqual([row])
    expect(await getRedirectUri(database, owner.id, row.id)).toEqual(row)
    expect(await getRedirectUri(database, other.id, row.id)).toBeUndefined()
    expect(await findRedirectUri(database, owner.id, row.url)).toEqual(row)
    expect(await findRedirectUri(database, owner.id, 'https://example.com/none')).toBeUndefined()
    const changed = { ...row, platform: 'js', url: 'https://example.com/b', settings: '{"o":1}', updated_at: now + 1 }
    expect(await updateRedirectUri(database, { ...changed, application_id: other.id })).toBe(0)
    expect(await updateRedirectUri(database, changed)).toBe(1)
    expect(await getRedirectUri(database, owner.id, row.id)).toEqual(changed)
    expect(await deleteRedirectUri(database, other.id, row.id)).toBe(0)
    expect(await deleteRedirectUri(database, owner.id, row.id)).toBe(1)
    expect(await listRedirectUris(database, owner.id)).toEqual([])
    expect(await listRedirectUris(database, other.id)).toEqual([twin])
  })

  function connectorRow(applicationId: string, changes: Partial<ConnectorRow> = {}): ConnectorRow {
    return {
      id: randomUUID(),
      application_id: applicationId,
      provider: 'google',
      name: 'Google',
      settings: '{"client_id":"x"}',
      sealed_settings: 'v1.sealed',
      scope: '["a"]',
      active_credential_id: null,
      created_at: now,
      updated_at: now,
      ...changes,
    }
  }

  test('connectors are one per provider and application', async () => {
    const [owner, other] = [await newApplication(), await newApplication()]
    const row = connectorRow(owner.id)
    const imap = connectorRow(owner.id, { provider: 'imap', sealed_settings: null, created_at: now + 1 })
    expect(await insertConnector(database, imap)).toBe(true)
    expect(await insertConnector(database, row)).toBe(true)
    expect(await insertConnector(database, connectorRow(owner.id))).toBe(false)
    expect(await insertConnector(database, connectorRow(other.id))).toBe(true)
    expect(await listConnectors(database, owner.id)).toEqual([row, imap])
    expect(await getConnector(database, owner.id, 'google')).toEqual(row)
    expect(await getConnector(database, owner.id, 'zoom')).toBeUndefined()
    const changed: ConnectorRow = {
      ...row,
      name: 'G',
      settings: '{}',
      sealed_settings: null,
      scope: '[]',
      active_credential_id: 'credential',
      updated_at: now + 1,
    }
    expect(await updateConnector(database, { ...changed, application_id: other.id })).toBe(0)
    expect(await updateConnector(database, changed)).toBe(1)
    expect(await getConnector(database, owner.id, 'google')).toEqual(changed)
    expect(await deleteConnector(database, other.id, row.id)).toBe(0)
    expect(await deleteConnector(database, owner.id, row.id)).toBe(1)
    expect(await listConnectors(database, owner.id)).toEqual([imap])
  })

  test('credentials belong to a connector, have unique names, and are deleted with it', async () => {
    const [owner, other] = [await newApplication(), await newApplication()]
    const connector = connectorRow(owner.id)
    await insertConnector(database, connector)
    const row: CredentialRow = {
      id: randomUUID(),
      application_id: owner.id,
      connector_id: connector.id,
      name: 'First',
      credential_type: 'connector',
      sealed_data: 'v1.sealed',
      fingerprint: 'print',
      created_at: now,
      updated_at: now,
    }
    const at = { applicationId: owner.id, connectorId: connector.id, id: row.id }
    const foreign = { ...at, applicationId: other.id }
    const second = { ...row, id: randomUUID(), name: 'Second', created_at: now + 1 }
    expect(await insertCredential(database, second)).toBe(true)
    expect(await insertCredential(database, row)).toBe(true)
    expect(await insertCredential(database, { ...row, id: randomUUID() })).toBe(false)
    expect(await listCredentials(database, owner.id, connector.id)).toEqual([row, second])
    expect(await listCredentials(database, other.id, connector.id)).toEqual([])
    expect(await getCredential(database, at)).toEqual(row)
    expect(await getCredential(database, foreign)).toBeUndefined()
    expect(await findCredential(database, { ...at, name: 'Second' })).toEqual(second)
    expect(await findCredential(database, { ...foreign, name: 'Second' })).toBeUndefined()
    const changed = { ...row, name: 'Renamed', sealed_data: 'v1.other', fingerprint: 'other', updated_at: now + 1 }
    expect(await updateCredential(database, { ...changed, application_id: other.id })).toBe(0)
    expect(await updateCredential(database, changed)).toBe(1)
    expect(await getCredential(database, at)).toEqual(changed)
    expect(await deleteCredential(database, foreign)).toBe(0)
    expect(await deleteCredential(database, at)).toBe(1)
    expect(await listCredentials(database, owner.id, connector.id)).toEqual([second])
    await deleteConnector(database, owner.id, connector.id)
    expect(await listCredentials(database, owner.id, connector.id)).toEqual([])
  })

  test('sealed values are read in pages and replaced only if nobody changed them', async () => {
    const owner = await newApplication()
    const columns = new Map(sealedColumns.map((column) => [`${column.table}.${column.column}`, column]))
    const inForm = [...(await readCatalogue(database)).values()].flatMap((table) =>
      table.columns.filter(({ name }) => name.startsWith('sealed_')).map(({ name }) => `${table.name}.${name}`),
    )
    const underDataKey = dataSealedColumns.map((column) => `${column.table}.${column.column}`)
    const known = new Set([...columns.keys(), ...underDataKey])
    expect([...known].sort(), 'a column that rotation does not know').toEqual(inForm.sort())
    const column = columns.get('grants.sealed_credentials')
    if (!column) throw new Error('no such column')
    const records = Array.from({ length: 510 }, () => grantRecord(owner.id, { sealedCredentials: 'v1.before' }))
    await database.transaction(async (tx) => {
      for (const record of [...records, grantRecord(owner.id)]) await insertGrant(tx, record)
    })
    const seen: string[] = []
    for await (const value of sealedValues(database, column)) {
      if (value.context.application !== owner.id) continue
      const { id } = records.find((record) => record.grant.id === value.context.row)?.grant ?? {}
      expect(value).toEqual({
        sealed: 'v1.before',
        context: { table: 'grants', column: 'sealed_credentials', application: owner.id, row: id },
      })
      seen.push(value.context.row)
    }
    expect(seen.toSorted()).toEqual(records.map((record) => record.grant.id).sort())
    const [first] = records
    if (!first) throw new Error('no record')
    const context = { table: column.table, column: column.column, application: owner.id, row: first.grant.id }
    const value = { sealed: 'v1.before', context }
    expect(await replaceSealedValue(database, column, value, 'v1.after')).toBe(true)
    expect(await replaceSealedValue(database, column, value, 'v1.late')).toBe(false)
    const foreign = { sealed: 'v1.after', context: { ...context, application: 'another' } }
    expect(await replaceSealedValue(database, column, foreign, 'v1.foreign')).toBe(false)
    expect((await getGrant(database, owner.id, first.grant.id))?.sealedCredentials).toBe('v1.after')
  })

  test('billing starts once, stops once, and is counted by month', async () => {
    const owner = await newApplication()
    const at = { applicationId: owner.id, grantId: 'grant', provider: 'google' }
    for (const time of [now, now + 5]) await database.transaction((tx) => startBilling(tx, at, time))
    await database.transaction((tx) => stopBilling(tx, 'another', 'grant', now + 1))
    const began = { provider: 'google', month: monthOf(now), began: 1, ended: 0 }
    expect(await billedByMonth(database, owner.id)).toEqual([began])
    const later = now + 40 * 86_400_000
    for (const time of [later, later + 20]) {
      await database.transaction((tx) => stopBilling(tx, owner.id, 'grant', time))
    }
    const both = [began, { provider: 'google', month: monthOf(later), began: 0, ended: 1 }]
    expect(await billedByMonth(database, owner.id)).toEqual(both)
    expect(await billedByMonth(database, 'another')).toEqual([])
    await addUpCounts(database, new AbortController().signal)
    expect(await billedByMonth(database, owner.id)).toEqual(both)
  })

  test('grants are counted on each change, and the sum is the same', async () => {
    const owner = await newApplication()
    const counted = async () => [await countGrants(database, owner.id), await readCounts(database, owner.id, 'grants')]
    const record = grantRecord(owner.id)
    await database.transaction((tx) => insertGrant(tx, record))
    await database.transaction((tx) => insertGrant(tx, grantRecord(owner.id)))
    expect(await countGrants(database, owner.id)).toBe(2)
    await database.transaction((tx) => updateGrant(tx, record))
    const invalid = { ...record, status: 'invalid' as const }
    await database.transaction((tx) => updateGrant(tx, invalid))
    await database.transaction((tx) => updateGrant(tx, { ...invalid, grant: { ...record.grant, blocked: true } }))
    const before = await counted()
    const provider = record.grant.provider
    expect(before).toEqual([
      2,
      expect.arrayContaining([
        { by: [provider, 'valid', '0'], amount: 1 },
        { by: [provider, 'invalid', '1'], amount: 1 },
      ]),
    ])
    await addUpCounts(database, new AbortController().signal)
    expect(await counted()).toEqual(before)
    expect(await database.all(sql('', `select name from application_counts where id <> 'sum' limit 1`))).toEqual([])
    for (let n = 0; n < 2; n++) await database.transaction((tx) => deleteGrant(tx, owner.id, record.grant.id))
    expect(await counted()).toEqual([1, [{ by: [provider, 'valid', '0'], amount: 1 }]])
  })

  test('an idempotency key has one holder, stores one response, and can be taken over or released', async () => {
    const address = { applicationId: 'application', scope: 'grant', key: randomUUID() }
    const claimer = (attempt: string) => ({
      requestHash: `hash of ${attempt}`,
      owner: 'node',
      attempt,
      now,
      seed: `seed-${attempt}`,
    })
    const claims = ['a', 'b', 'c', 'd'].map((attempt) => claimIdempotencyKey(database, address, claimer(attempt)))
    const winner = ['a', 'b', 'c', 'd'][(await Promise.all(claims)).indexOf(true)] ?? ''
    expect((await Promise.all(claims)).filter(Boolean)).toEqual([true])
    expect(await readIdempotencyKey(database, address)).toEqual({
      request_hash: `hash of ${winner}`,
      owner: 'node',
      attempt: winner,
      status: null,
      headers: null,
      sealed_body: null,
      created_at: now,
      seed: `seed-${winner}`,
    })
    for (const other of [
      { ...address, applicationId: 'another' },
      { ...address, scope: '' },
      { ...address, key: 'another' },
    ]) {
      expect(await readIdempotencyKey(database, other)).toBeUndefined()
    }
    const answer = { status: 201, headers: '{"a":"b"}', sealedBody: 'sealed' }
    const later = { ...claimer('e'), now: now + 1, expiredBefore: now - 1 }
    expect(await takeOverIdempotencyKey(database, address, 'stranger', later)).toBe(false)
    const takers = [later, { ...later, attempt: 'f' }]
    const taken = await Promise.all(takers.map((by) => takeOverIdempotencyKey(database, address, winner, by)))
    expect(taken.filter(Boolean)).toEqual([true])
    const holder = takers[taken.indexOf(true)]?.attempt ?? ''
    expect(await completeIdempotencyKey(database, address, winner, answer)).toBe(false)
    expect(await releaseIdempotencyKey(database, address, winner)).toBe(0)
    expect(await completeIdempotencyKey(database, address, holder, answer)).toBe(true)
    expect(await takeOverIdempotencyKey(database, address, holder, { ...later, attempt: 'late' })).toBe(false)
    expect(await completeIdempotencyKey(database, address, holder, { ...answer, status: 500 })).toBe(false)
    expect(await releaseIdempotencyKey(database, address, holder)).toBe(0)
    expect(await readIdempotencyKey(database, address)).toMatchObject({
      status: 201,
      headers: answer.headers,
      sealed_body: 'sealed',
      created_at: now + 1,
    })

    const free = { ...address, key: randomUUID() }
    expect(await claimIdempotencyKey(database, free, claimer('a'))).toBe(true)
    expect(await releaseIdempotencyKey(database, free, 'a')).toBe(1)
    expect(await claimIdempotencyKey(database, free, claimer('b'))).toBe(true)
    expect(await leaveIdempotencyKey(database, free, 'stranger')).toBe(0)
    expect(await leaveIdempotencyKey(database, free, 'b')).toBe(1)
    expect(await readIdempotencyKey(database, free)).toMatchObject({ status: null, owner: '', seed: 'seed-b' })
    const heir = { ...claimer('h'), now, expiredBefore: now - 1 }
    expect(await takeOverIdempotencyKey(database, free, 'b', heir)).toBe(true)
    expect(await readIdempotencyKey(database, free)).toMatchObject({ attempt: 'h', seed: 'seed-b' })
    expect(await abandonIdempotencyKeys(database)).toBe(1)
    expect(await takeOverIdempotencyKey(database, free, 'h', { ...heir, expiredBefore: now + 1 })).toBe(true)
    expect(await readIdempotencyKey(database, free)).toMatchObject({ owner: 'node', seed: 'seed-h' })
    expect(await releaseIdempotencyKey(database, free, 'h')).toBe(1)
    expect(await purgeIdempotencyKeys(database, now + 1)).toBe(0)
    expect(await purgeIdempotencyKeys(database, now + 2)).toBe(1)
    expect(await readIdempotencyKey(database, address)).toBeUndefined()
  })

  test('a node is alive while its heartbeat is recent', async () => {
    await beatNode(database, { id: 'one', startedAt: now }, now)
    await beatNode(database, { id: 'two', startedAt: now }, now)
    await beatNode(database, { id: 'one', startedAt: now }, now + nodeLeaseMs)
    expect((await liveNodes(database, now + nodeLeaseMs)).sort()).toEqual(['one', 'two'])
    expect(await liveNodes(database, now + nodeLeaseMs + 1)).toEqual(['one'])
    expect(await forgetDeadNodes(database, now + nodeLeaseMs + 1)).toBe(0)
    expect(await forgetDeadNodes(database, now + 20 * nodeLeaseMs + 1)).toBe(1)
    expect(await leaveNode(database, 'one')).toBe(1)
    expect(await liveNodes(database, now)).toEqual([])
  })

  test('facts about the installation are stored once or overwritten', async () => {
    expect(await readFact(database, 'administrator')).toBeUndefined()
    const retained = await Promise.all(['a', 'b'].map((value) => keepFact(database, 'administrator', value)))
    expect(new Set(retained).size).toBe(1)
    expect(await readFact(database, 'administrator')).toBe(retained[0])
    await writeFact(database, 'administrator', 'c')
    expect(await keepFact(database, 'administrator', 'd')).toBe('c')
  })

  describe('grants', () => {
    test('are found by id, address and external id, only inside their application', async () => {
      const [owner, other] = [await newApplication(), await newApplication()]
      const record = grantRecord(
        owner.id,
        { sealedCredentials: 'v1.sealed', purgeAt: null },
        { external_id: 'yours', metadata: { key1: 'ü"\\' }, credential_id: 'credential' },
      )
      expect(await insertGrant(database, record)).toBe(1)
      for (const locator of [
        { by: 'id', value: record.grant.id },
        { by: 'email', value: record.emailKey },
        { by: 'external', value: 'yours' },
      ] as const) {
        expect(await findGrant(database, owner.id, locator)).toEqual(record)
        expect((await findGrantDocument(database, owner.id, locator))?.text).toBe(JSON.stringify(record.grant))
        expect(await findGrant(database, other.id, locator)).toBeUndefined()
        expect(await findGrantDocument(database, other.id, locator)).toBeUndefined()
      }
      expect(await getGrant(database, owner.id, record.grant.id)).toEqual(record)
      expect(await findGrantByEmail(database, owner.id, record.emailKey)).toEqual(record)
      expect(await findGrantByExternalId(database, owner.id, 'yours')).toEqual(record)
      expect(await grantsOfConnector(database, owner.id, 'connector')).toEqual([record])
      expect(await grantsOfConnector(database, other.id, 'connector')).toEqual([])
      expect(await grantsOfCredential(database, owner.id, 'credential')).toEqual([record])
      expect(await grantsOfCredential(database, other.id, 'credential')).toEqual([])
      expect(await countGrants(database, owner.id)).toBe(1)
      expect(await countGrants(database, other.id)).toBe(0)
    })

    test('have a unique address and external id in their application', async () => {
      const [owner, other] = [await newApplication(), await newApplication()]
      const record = grantRecord(owner.id, {}, { external_id: 'yours' })
      await insertGrant(database, record)
      const sameAddress = grantRecord(owner.id, { emailKey: record.emailKey })
      await expect(insertGrant(database, sameAddress)).rejects.toThrow(/unique/i)
      const sameExternal = grantRecord(owner.id, {}, { external_id: 'yours' })
      await expect(insertGrant(database, sameExternal)).rejects.toThrow(/unique/i)
      await insertGrant(database, grantRecord(other.id, { emailKey: record.emailKey }, { external_id: 'yours' }))
      await insertGrant(database, grantRecord(owner.id))
      expect(await countGrants(database, owner.id)).toBe(2)
    })

    test('are changed and deleted only in their application', async () => {
      const [owner, other] = [await newApplication(), await newApplication()]
      const record = grantRecord(owner.id)
      await insertGrant(database, record)
      const changed: GrantRecord = {
        ...record,
        connectorId: 'another connector',
        emailKey: 'another@example.com',
        status: 'invalid',
        sealedCredentials: 'v1.x',
        purgeAt: now + 5,
        updatedAt: now + 7,
        grant: { ...record.grant, grant_status: 'invalid', blocked: true, ip: '192.0.2.1', account_id: 'account' },
      }
      expect(await updateGrant(database, { ...changed, applicationId: other.id })).toBe(0)
      expect(await updateGrant(database, changed)).toBe(1)
      expect(await getGrant(database, owner.id, record.grant.id)).toEqual(changed)
      expect(await deleteGrant(database, other.id, record.grant.id)).toBe(0)
      expect(await deleteGrant(database, owner.id, record.grant.id)).toBe(1)
      expect(await getGrant(database, owner.id, record.grant.id)).toBeUndefined()
    })

    test('that are due are found for removal, of every application', async () => {
      const [one, two] = [await newApplication(), await newApplication()]
      const due = [grantRecord(one.id, { purgeAt: 1000 }), grantRecord(two.id, { purgeAt: 2000 })]
      for (const record of [...due, grantRecord(one.id, { purgeAt: 2001 }), grantRecord(one.id)]) {
        await insertGrant(database, record)
      }
      const found = (await grantsToPurge(database, 2000)).map((record) => record.grant.id)
      expect(found.sort()).toEqual(due.map((record) => record.grant.id).sort())
      expect(await grantsToPurge(database, 999)).toEqual([])
    })

    test('that are not verified yet are not counted, and found only by their own sign-in', async () => {
      const owner = await newApplication()
      const record = grantRecord(owner.id, { status: 'unverified' }, { external_id: 'yours' })
      await insertGrant(database, record)
      expect(await countGrants(database, owner.id)).toBe(0)
      expect(await getGrant(database, owner.id, record.grant.id)).toEqual(record)
      for (const locator of [
        { by: 'id', value: record.grant.id },
        { by: 'email', value: record.emailKey },
        { by: 'external', value: 'yours' },
      ] as const) {
        expect(await findGrant(database, owner.id, locator)).toBeUndefined()
        expect(await findGrantDocument(database, owner.id, locator)).toBeUndefined()
      }
      const filter = { sortBy: 'created_at', order: 'asc' } as const
      const { grants, next } = await readGrantPage(database, owner.id, filter, { limit: 10, offset: 0 })
      expect([[...grants], next]).toEqual([[], undefined])
    })
  })

  describe('the list of grants', () => {
    const idsOf = ({ grants }: GrantPage): string[] => Array.from(grants, ({ id }) => id)

    async function listed(applicationId: string, filter: Partial<GrantFilter>): Promise<string[]> {
      const whole: GrantFilter = { sortBy: 'created_at', order: 'asc', ...filter }
      return idsOf(await readGrantPage(database, applicationId, whole, { limit: 100, offset: 0 }))
    }

    test('is filtered by every filter, alone and together', async () => {
      const [owner, other] = [await newApplication(), await newApplication()]
      const plain = grantRecord(owner.id, { createdAt: now })
      const full = grantRecord(
        owner.id,
        { createdAt: now + 10, connectorId: 'other connector', status: 'invalid', emailKey: 'full@example.com' },
        {
          grant_status: 'invalid',
          ip: '192.0.2.7',
          provider: 'google',
          account_id: 'account-1',
          workspace_id: 'other workspace',
        },
      )
      const late = grantRecord(owner.id, { createdAt: now + 20 }, { account_id: 'account-2' })
      for (const record of [late, full, plain, grantRecord(other.id, {}, { ip: '192.0.2.7' })]) {
        await insertGrant(database, record)
      }
      const [a, b, c] = [plain.grant.id, full.grant.id, late.grant.id]
      expect(await listed(owner.id, {})).toEqual([a, b, c])
      expect(await listed(owner.id, { since: now + 10 })).toEqual([b, c])
      expect(await listed(owner.id, { until: now + 10 })).toEqual([a])
      expect(await listed(owner.id, { since: now + 10, until: now + 20 })).toEqual([b])
      expect(await listed(owner.id, { emailKey: 'full@example.com' })).toEqual([b])
      expect(await listed(owner.id, { status: 'invalid' })).toEqual([b])
      expect(await listed(owner.id, { status: 'valid' })).toEqual([a, c])
      expect(await listed(owner.id, { ip: '192.0.2.7' })).toEqual([b])
      expect(await listed(owner.id, { provider: 'google' })).toEqual([b])
      expect(await listed(owner.id, { accountIds: ['account-2'] })).toEqual([c])
      expect(await listed(owner.id, { accountIds: ['account-1', 'account-2', 'none'] })).toEqual([b, c])
      expect(await listed(owner.id, { accountIds: [] })).toEqual([])
      expect(await listed(owner.id, { workspaceId: 'other workspace' })).toEqual([b])
      expect(await listed(owner.id, { connectorId: 'other connector' })).toEqual([b])
      const all: Partial<GrantFilter> = {
        since: now,
        until: now + 100,
        emailKey: 'full@example.com',
        status: 'invalid',
        ip: '192.0.2.7',
        provider: 'google',
        accountIds: ['account-1'],
        workspaceId: 'other workspace',
        connectorId: 'other connector',
      }
      expect(await listed(owner.id, all)).toEqual([b])
      for (const sortBy of ['created_at', 'updated_at'] as const) {
        for (const order of ['asc', 'desc'] as const) {
          expect(await listed(owner.id, { ...all, sortBy, order })).toEqual([b])
        }
      }
      expect(await listed(owner.id, { ...all, provider: 'imap' })).toEqual([])
      expect(await listed(other.id, { connectorId: 'other connector' })).toEqual([])
    })

    test('is sorted by creation or by authentication, both ways, and equal times by id', async () => {
      const owner = await newApplication()
      const records = [3, 1, 2, 2, 2].map((age, index) =>
        grantRecord(owner.id, { createdAt: now + age, updatedAt: now - age * (index + 1) }),
      )
      for (const record of records) await insertGrant(database, record)
      const order = (time: (record: GrantRecord) => number): string[] =>
        records
          .toSorted((a, b) => time(a) - time(b) || (a.grant.id < b.grant.id ? -1 : 1))
          .map((record) => record.grant.id)
      const byCreation = order((record) => record.createdAt)
      const byAuthentication = order((record) => record.updatedAt)
      expect(await listed(owner.id, { sortBy: 'created_at', order: 'asc' })).toEqual(byCreation)
      expect(await listed(owner.id, { sortBy: 'created_at', order: 'desc' })).toEqual(byCreation.toReversed())
      expect(await listed(owner.id, { sortBy: 'updated_at', order: 'asc' })).toEqual(byAuthentication)
      expect(await listed(owner.id, { sortBy: 'updated_at', order: 'desc' })).toEqual(byAuthentication.toReversed())
      const filter = { sortBy: 'created_at', order: 'asc' } as const
      const second = await readGrantPage(database, owner.id, filter, { limit: 2, offset: 2 })
      expect(idsOf(second)).toEqual(byCreation.slice(2, 4))
    })

    /** Reads the whole list page by page, with a change between the pages. */
    async function walk(applicationId: string, filter: GrantFilter, between: () => Promise<void>) {
      const walked: string[] = []
      for (let after: GrantPosition | undefined; ; ) {
        const found = await readGrantPage(database, applicationId, filter, { limit: 3, offset: 0, after })
        const ids = idsOf(found)
        walked.push(...ids)
        after = found.next
        if (!after) return walked
        expect([ids.length, ids.at(-1)]).toEqual([3, after.id])
        await between()
      }
    }

    test('in pages has no duplicate and no gap while grants are added and removed', async () => {
      const step = fc.record({ insert: fc.array(fc.nat(6), { maxLength: 2 }), remove: fc.boolean() })
      const scenario = fc.record({
        times: fc.array(fc.nat(6), { minLength: 4, maxLength: 16 }),
        steps: fc.array(step, { maxLength: 8 }),
        sortBy: fc.constantFrom('created_at' as const, 'updated_at' as const),
        order: fc.constantFrom('asc' as const, 'desc' as const),
      })
      const run = async ({
        times,
        steps,
        sortBy,
        order,
      }: typeof scenario extends fc.Arbitrary<infer T> ? T : never) => {
        const owner = await newApplication()
        const timeOf = new Map<string, number>()
        const store = (list: readonly number[]): Promise<string[]> =>
          database.transaction(async (tx) => {
            const records = list.map((time) => grantRecord(owner.id, { createdAt: now + time, updatedAt: now - time }))
            for (const record of records) {
              await insertGrant(tx, record)
              timeOf.set(record.grant.id, sortBy === 'created_at' ? record.createdAt : record.updatedAt)
            }
            return records.map((record) => record.grant.id)
          })
        const start = new Set(await store(times))
        const removed = new Set<string>()
        const pending = [...steps]
        const ids = await walk(owner.id, { sortBy, order }, async () => {
          const next = pending.shift()
          await store(next?.insert ?? [])
          const victim = next?.remove ? [...start].find((id) => !removed.has(id)) : undefined
          if (victim === undefined) return
          await deleteGrant(database, owner.id, victim)
          removed.add(victim)
        })
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of start.difference(removed)) expect(ids).toContain(id)
        const sign = order === 'asc' ? 1 : -1
        const time = (id: string): number => timeOf.get(id) ?? Number.NaN
        expect(ids).toEqual(ids.toSorted((a, b) => sign * (time(a) - time(b) || (a < b ? -1 : 1))))
      }
      await fc.assert(fc.asyncProperty(scenario, run), { numRuns: runs(25) })
    })
  })

  test('the data of an application is deleted with it', async () => {
    const owner = await newApplication()
    const connector = connectorRow(owner.id)
    await insertConnector(database, connector)
    await insertGrant(database, grantRecord(owner.id))
    await replaceOrigins(database, owner.id, ['https://gone.example.com'])
    await database.run(sql('test.dropApplication', 'delete from applications where id = $1'), [owner.id])
    expect(await listConnectors(database, owner.id)).toEqual([])
    expect(await countGrants(database, owner.id)).toBe(0)
    expect(await isKnownOrigin(database, 'https://gone.example.com')).toBe(false)
  })
})
