/** Uploads of large files: the signed URL, its limits, and what is left of an upload that was interrupted or expired. */
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { sql } from '@waypost/store/engine/database'
import { chunkBytes } from '@waypost/store/tables/grants/upload-chunks'
import { oneEngineFor } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failDeadPuts, purgeExpired } from '../../../src/housekeeping.ts'
import { createUploads } from '../../../src/sending/uploads/uploads.ts'
import { connectMail, type MailService, openMailService } from '../../api/pipeline/mail-provider.ts'

const chunks = sql<{ count: number; bytes: number }>('test.chunks')`select count(*) as count from upload_chunks
   where upload_id = $1`
const longest = sql<{ length: number }>('test.longestChunk')`select max(length(sealed_bytes)) as length
   from upload_chunks where upload_id = $1`
const interrupt = sql('test.interrupt')`update uploads set put_id = $2, size = null where id = $1`
const interruptChunks = sql('test.interruptChunks')`update upload_chunks set put_id = $2 where upload_id = $1`
const ofUpload = sql<{ application_id: string }>('test.ofUpload')`select application_id from uploads where id = $1`
const file = { filename: 'video.mp4', content_type: 'video/mp4' }

describe.each(oneEngineFor(import.meta.url))('uploads on %s', (engine) => {
  const clock = testClock(1_790_000_000_000)
  let world: MailService
  let key: string
  let at: string
  let base: string
  let count = 0
  beforeAll(async () => {
    world = await openMailService({ engine, overrides: { clock } })
    base = await world.service.listen()
  })
  beforeEach(async () => {
    key = (await world.service.createApplication()).key
    at = `/v3/grants/${await connectMail(world.service, `user${++count}@mail.test`, key)}/attachment-uploads`
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const call = (path: string, body: object = {}, as = key) =>
    world.service.call('POST', `${at}${path}`, { key: as, body })
  const begin = async (fields: object = {}) => {
    const { status, body } = await call('', { ...file, ...fields })
    expect({ status, error: body.error }).toEqual({ status: 201, error: undefined })
    return body.data
  }
  const targetOf = (url: string): string => `${base}${new URL(url).pathname}`
  const put = async (url: string, body: Buffer | ReadableStream, headers: Record<string, string> = {}) => {
    const answer = await fetch(targetOf(url), { method: 'PUT', body, headers, duplex: 'half' } as RequestInit)
    return {
      status: answer.status,
      error: ((await answer.json()) as { error?: unknown }).error,
      headers: answer.headers,
    }
  }
  const stored = async (id: string): Promise<number> =>
    Number((await world.service.services.storage.database.get(chunks, [id]))?.count ?? 0)

  test('are stored in encrypted pieces of less than a mebibyte, and read back byte for byte', async () => {
    const bytes = randomBytes(2 * chunkBytes + 1_234)
    const { attachment_id: id, url, ...rest } = await begin({ size: bytes.length })
    expect(rest).toEqual({
      ...file,
      grant_id: at.split('/')[3],
      method: 'PUT',
      headers: { 'content-type': 'video/mp4' },
      expires_at: new Date(clock.now() + 3_600_000).toISOString().replace('.000', ''),
      max_size: limits.uploadBytes,
      size: bytes.length,
    })
    expect(await put(url, bytes)).toMatchObject({ status: 200 })
    expect(await call(`/${id}/complete`)).toMatchObject({
      status: 200,
      body: { data: { attachment_id: id, grant_id: rest.grant_id, status: 'ready' } },
    })
    const { uploads } = world.service.services.mail
    const { database } = world.service.services.storage
    const [{ application_id: applicationId } = { application_id: '' }] = await database.all(
      sql<{ application_id: string }>('test.upload')`select application_id from uploads where id = $1`,
      [id],
    )
    expect(Buffer.concat(await Array.fromAsync(uploads.read({ applicationId, id }))).equals(bytes)).toBe(true)
    expect(await stored(id)).toBe(3)
    expect((await database.get(longest, [id]))?.length).toBeLessThan(1_048_576)
  })

  test('are completed once, and their URL accepts nothing more', async () => {
    const { attachment_id: id, url } = await begin()
    expect(await put(url, Buffer.from('first'))).toMatchObject({ status: 200 })
    expect(await put(url, Buffer.from('second'))).toMatchObject({ status: 200 })
    expect((await call(`/${id}/complete`)).status).toBe(200)
    expect((await call(`/${id}/complete`)).status).toBe(409)
    expect(await put(url, Buffer.from('third'))).toMatchObject({ status: 409 })
    expect(await stored(id)).toBe(1)
  })

  test('refuse a file of another size than declared, and more than the limit', async () => {
    const { attachment_id: id, url } = await begin({ size: 10 })
    expect(await put(url, randomBytes(11))).toMatchObject({ status: 413 })
    expect(await put(url, randomBytes(9))).toMatchObject({ status: 422 })
    const streamed = (size: number): ReadableStream => new Blob([randomBytes(size)]).stream()
    expect(await put(url, streamed(11))).toMatchObject({ status: 413 })
    expect(await put(url, streamed(9))).toMatchObject({ status: 422 })
    expect((await call(`/${id}/complete`)).body.error.type).toBe('api.upload_incomplete')
    expect(await put(url, randomBytes(10))).toMatchObject({ status: 200 })
    expect((await call(`/${id}/complete`)).status).toBe(200)
    for (const size of [0, -1, limits.uploadBytes + 1]) expect((await call('', { ...file, size })).status).toBe(400)
    const tooLarge = await call('', { ...file, size: limits.uploadBytes + 1 })
    expect(tooLarge.body.error.message).toContain('file_size exceeds maximum allowed size of 157286400 bytes')
    const { url: unlimited } = await begin()
    expect(await put(unlimited, Buffer.alloc(0), { 'content-range': 'bytes 0-1/2' })).toMatchObject({ status: 400 })
  })

  test('that end early count as nothing and can be repeated', async () => {
    const { attachment_id: id, url } = await begin({ size: 3 * chunkBytes })
    const broken = httpRequest(targetOf(url), { method: 'PUT', headers: { 'content-length': 3 * chunkBytes } })
    broken.on('error', () => undefined)
    broken.write(randomBytes(2 * chunkBytes))
    await expect.poll(() => stored(id)).toBeGreaterThan(0)
    broken.destroy()
    // Its bytes are deleted at once.
    await expect.poll(() => stored(id)).toBe(0)
    expect((await call(`/${id}/complete`)).status).toBe(422)
    expect(await put(url, randomBytes(3 * chunkBytes))).toMatchObject({ status: 200 })
    expect((await call(`/${id}/complete`)).status).toBe(200)
    expect(await stored(id)).toBe(3)
  })

  test('that are empty, or arrive a byte now and then, count as nothing', async () => {
    const { attachment_id: id, url } = await begin()
    expect(await put(url, Buffer.alloc(0))).toMatchObject({ status: 200 })
    expect((await call(`/${id}/complete`)).body.error).toMatchObject({
      type: 'api.upload_incomplete',
      message: expect.stringContaining('empty'),
    })
    const [, , , grantId = ''] = at.split('/')
    const { database, seals } = world.service.services.storage
    const row = await database.get(
      sql<{ application_id: string }>('test.grant')`select application_id from grants where id = $1`,
      [grantId],
    )
    let isRefused = false
    async function* drip(): AsyncGenerator<Uint8Array> {
      while (!isRefused) {
        await nextTurn()
        yield Buffer.from('x')
      }
    }
    const hasty = createUploads({ database, seals, clock, pieceMs: 10 })
    const dripping = hasty.receive(
      { applicationId: row?.application_id ?? '', id },
      { length: undefined, stream: drip },
    )
    await expect(dripping.finally(() => (isRefused = true))).rejects.toMatchObject({ code: 'upload_incomplete' })
    expect((await call(`/${id}/complete`)).body.error.type).toBe('api.upload_incomplete')
    expect(await put(url, Buffer.from('whole'))).toMatchObject({ status: 200 })
    expect((await call(`/${id}/complete`)).status).toBe(200)
  })

  test('that a killed node received are deleted when it starts again, and by other nodes', async () => {
    const { attachment_id: id, url } = await begin()
    const { attachment_id: arrived, url: whole } = await begin()
    const { attachment_id: running } = await begin()
    await put(url, randomBytes(chunkBytes + 1))
    await put(whole, randomBytes(10))
    const { services } = world.service
    const { database } = services.storage
    const { node } = services.runtime
    const takenBy = (upload: string, by: string | null) =>
      database.transaction(async (tx) => {
        const end = by === null ? '' : `${by}~`
        await tx.run(interrupt, [upload, `${end}x`])
        await tx.run(interruptChunks, [upload, `${end}x`])
      })
    for (const by of ['a-node-that-was-killed', ...(engine === 'sqlite' ? [null] : [])]) {
      await takenBy(id, by)
      await takenBy(running, node.id)
      await failDeadPuts(services)
      expect([await stored(id), await stored(arrived)]).toEqual([0, 1])
      expect((await call(`/${id}/complete`)).body.error.message).toContain('no file has arrived')
      expect(await put(url, randomBytes(chunkBytes + 1))).toMatchObject({ status: 200 })
    }
    await put(url, randomBytes(chunkBytes + 1))
    await takenBy(id, node.id)
    await failDeadPuts(services)
    expect(await stored(id)).toBe(2)
  })

  test('are refused, and leave nothing, where the disk has no room', async () => {
    const { attachment_id: id } = await begin()
    const { database, seals } = world.service.services.storage
    const { node } = world.service.services.runtime
    const row = await database.get(ofUpload, [id])
    const at = { applicationId: row?.application_id ?? '', id }
    let room = 2 * chunkBytes
    const checkRoom = async (bytes: number) => {
      room -= bytes
      if (room < 0) throw new ApiError('service_unavailable', 'the disk is full')
    }
    const full = createUploads({ database, seals, clock, nodeId: node.id, checkRoom })
    const bytes = randomBytes(3 * chunkBytes)
    const body = (length?: number) => ({ length, stream: () => ReadableStream.from([bytes]) })
    await expect(full.receive(at, body(bytes.length))).rejects.toThrow('the disk is full')
    room = 2 * chunkBytes
    await expect(full.receive(at, body())).rejects.toThrow('the disk is full')
    expect(await stored(id)).toBe(0)
  })

  test('of which two run at once have the bytes of one', async () => {
    const { attachment_id: id, url } = await begin()
    const bodies = [randomBytes(2 * chunkBytes), randomBytes(2 * chunkBytes)]
    const answers = await Promise.all(bodies.map((body) => put(url, body)))
    expect(answers.map(({ status }) => status)).toContain(200)
    expect((await call(`/${id}/complete`)).status).toBe(200)
    expect(await stored(id)).toBe(2)
  })

  test('of other grants and applications look like missing ones', async () => {
    const { attachment_id: id, url } = await begin()
    await put(url, Buffer.from('x'))
    const other = await world.service.createApplication()
    const foreign = await connectMail(world.service, `user${++count}@mail.test`, other.key)
    const sibling = await connectMail(world.service, `user${++count}@mail.test`, key)
    const completing = (grantId: string, as: string) =>
      world.service.call('POST', `/v3/grants/${grantId}/attachment-uploads/${id}/complete`, { key: as, body: {} })
    expect((await completing(foreign, other.key)).status).toBe(404)
    expect((await completing(sibling, key)).status).toBe(404)
    expect((await call(`/${id}x/complete`)).status).toBe(404)
    expect(await put(`${url.slice(0, -2)}AA`, Buffer.from('x'))).toMatchObject({ status: 404 })
    expect((await call(`/${id}/complete`)).status).toBe(200)
  })

  test('expire after an hour, and housekeeping deletes their bytes', async () => {
    const { attachment_id: id, url } = await begin()
    await put(url, randomBytes(chunkBytes + 1))
    clock.advance(3_600_001)
    expect(await put(url, Buffer.from('x'))).toMatchObject({ status: 410 })
    expect((await call(`/${id}/complete`)).status).toBe(410)
    expect(await stored(id)).toBe(2)
    await purgeExpired(world.service.services)
    expect(await stored(id)).toBe(0)
    expect((await call(`/${id}/complete`)).status).toBe(410)
    clock.advance(86_400_000)
    await purgeExpired(world.service.services)
    expect((await call(`/${id}/complete`)).status).toBe(404)
  })

  test('of a deleted grant are deleted', async () => {
    const { attachment_id: id, url } = await begin()
    await put(url, randomBytes(10))
    await world.service.call('DELETE', at.replace('/attachment-uploads', ''), { key })
    expect(await put(url, randomBytes(10))).toMatchObject({ status: 410 })
    await purgeExpired(world.service.services)
    expect(await stored(id)).toBe(0)
  })

  test('are limited in number and bytes for each application', async () => {
    for (let bytes = 0; bytes + limits.uploadBytes <= limits.uploadBytesPerApplication; bytes += limits.uploadBytes) {
      await begin()
    }
    expect((await call('', file)).body.error.type).toBe('api.upload_quota_reached')
    clock.advance(3_600_001)
    for (let made = 0; made < limits.uploads; made++) await begin({ size: 1 })
    expect((await call('', { ...file, size: 1 })).status).toBe(429)
  })

  test('can be sent by a browser of another origin', async () => {
    const { url } = await begin()
    const requested = await fetch(targetOf(url), {
      method: 'OPTIONS',
      headers: { origin: 'https://app.test', 'access-control-request-method': 'PUT' },
    })
    expect([requested.status, requested.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const { headers } = await put(url, Buffer.from('x'), { origin: 'https://app.test' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('are refused for accounts without mail', async () => {
    const { id } = await world.service.createGrant('room@virtual.test', key)
    const made = await world.service.call('POST', `/v3/grants/${id}/attachment-uploads`, { key, body: file })
    expect([made.status, made.body.error.type]).toEqual([422, 'not_supported_by_provider'])
  })
})
