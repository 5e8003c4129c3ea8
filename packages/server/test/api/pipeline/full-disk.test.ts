/** The operations of applications while the disk of the store is full. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLog } from '@waypost/platform/log'
import { StoreUnavailable } from '@waypost/store/engine/database'
import { createDiskRoom, spareBytes } from '@waypost/store/engine/disk-room'
import { expect, test } from 'vitest'
import { openService } from '../../harness.ts'

test('on a full disk, reading, deleting and sign-ins of administrators work, and other requests are refused with the reason', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'full-disk-'))
  let free = spareBytes - 1
  const room = createDiskRoom(folder, { log: createLog('silent'), free: () => free })
  await using service = await openService({ overrides: { room } })
  const { id } = await service.createGrant('room@virtual.test')
  const at = `/v3/grants/${id}/calendars`
  // The first calendar is the primary one, which cannot be deleted.
  await service.call('POST', at, { body: { name: 'first' } })
  const made = await service.call('POST', at, { body: { name: 'before' } })
  const place = `${at}/${made.body.data.id}`
  room.measure()

  const refused = await service.call('POST', at, { body: { name: 'while it is full' } })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(refused.body.error).toMatchObject({
    type: 'api.service_unavailable',
    message: expect.stringMatching(/^the disk of the service is full \(31 MB left\): reading and deleting work/),
  })
  expect((await service.call('PUT', place, { body: { name: 'changed' } })).status).toBe(503)
  expect((await service.call('GET', place)).body.data.name).toBe('before')
  expect((await service.call('DELETE', place)).status).toBe(200)
  expect((await service.call('GET', place)).status).toBe(404)
  expect((await service.call('GET', '/ready')).status).toBe(503)
  const application = await service.call('POST', '/v3/admin/applications', { admin: true, body: { name: 'other' } })
  expect(application.status).toBe(201)

  free = 10 * spareBytes
  room.measure()
  expect((await service.call('GET', '/ready')).status).toBe(200)
  expect((await service.call('POST', at, { body: { name: 'after' } })).status).toBe(200)
  await rm(folder, { recursive: true })
})

test('a node starts on a full disk, and serves reads', async () => {
  await using service = await openService({ engine: 'sqlite' })
  const { id } = await service.createGrant('room@virtual.test')
  const { database } = service.services.storage
  const { run, transaction } = database
  const isFull = { now: true }
  const refuse = () => Promise.reject(new StoreUnavailable('the disk is full', undefined, { isFull: true }))
  Object.assign(database, {
    run: (...requested: Parameters<typeof run>) => (isFull.now ? refuse() : run(...requested)),
    transaction: (...requested: Parameters<typeof transaction>) => (isFull.now ? refuse() : transaction(...requested)),
  })
  const base = await service.listen()
  const headers = { authorization: `Bearer ${service.apiKey}` }
  expect((await fetch(`${base}/v3/grants/${id}`, { headers })).status).toBe(200)
  const refused = await service.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'x' } })
  expect([refused.status, refused.body.error.message]).toEqual([503, expect.stringMatching(/^the disk is full/)])
  expect(service.logs()).toContain('the node starts all the same')
  isFull.now = false
  expect((await service.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'x' } })).status).toBe(200)
})
