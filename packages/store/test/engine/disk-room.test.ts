/** Free space on the disk of the data folder, on a disk whose free space a test sets. */
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLog } from '@waypost/platform/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskRoom, freeReserve, reserveBytes, spareBytes } from '../../src/engine/disk-room.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'disk-room-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** `others`: the bytes that other files leave free. */
function openRoom() {
  const disk = { others: 10 * spareBytes, time: 0 }
  const file = path.join(folder, 'waypost.reserve')
  const taken = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const free = () => Math.max(0, disk.others - taken())
  const room = createDiskRoom(folder, { log: createLog('silent'), free, now: () => disk.time })
  room.measure()
  return { disk, room, free, hasReserve: () => existsSync(file) }
}

test('clients can write while there is space, and again once there is', () => {
  const { disk, room } = openRoom()
  room.needRoom()
  disk.others = spareBytes - 1
  room.measure()
  expect(() => room.needRoom()).toThrow(/the disk of the service is full \(\d+ MB left\)/)
  expect(() => room.needRoom()).toThrow(expect.objectContaining({ code: 'service_unavailable', status: 503 }))
  disk.others = 10 * spareBytes
  room.measure()
  room.needRoom()
})

test('a full disk gets the space of the reserve, also at the start, and the reserve is restored when there is space', () => {
  const { disk, room, free, hasReserve } = openRoom()
  expect(hasReserve()).toBe(true)
  disk.others = reserveBytes
  expect(free()).toBe(0)
  freeReserve(folder, free)
  expect([hasReserve(), free()]).toEqual([false, reserveBytes])
  room.measure()
  expect(() => room.needRoom()).toThrow(/is full/)
  disk.others = 10 * spareBytes
  // A new process does not know what an earlier one measured.
  const next = openRoom()
  expect(next.hasReserve()).toBe(true)
  next.disk.others = reserveBytes
  next.room.measure()
  expect([next.hasReserve(), next.free()]).toEqual([false, reserveBytes])
})

test('data that exceeds the free space is refused before it is accepted', async () => {
  const { disk, room } = openRoom()
  await room.checkRoom(8 * spareBytes)
  await expect(room.checkRoom(10 * spareBytes)).rejects.toThrow(/is full/)
  disk.others = spareBytes
  // Measured a moment ago.
  await room.checkRoom(1)
  disk.time = 1_000
  await expect(room.checkRoom(1)).rejects.toThrow(/is full/)
  room.measure()
  expect(() => room.needRoom()).toThrow(/is full/)
})
