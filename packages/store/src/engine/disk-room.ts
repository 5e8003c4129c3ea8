/**
 * The room on the disk of the data folder. Deleting needs room too, because SQLite writes every change to its log first,
 * and so does a start. So clients may write only while there is more than `spareBytes`, and a file of `reserveBytes` lies
 * next to the database. If other programs fill the disk, the file is removed, and the service can start, read and delete.
 */
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ApiError } from '@waypost/platform/api-error'
import type { Log } from '@waypost/platform/log'

/** Clients write only while there is more. */
export const spareBytes = 32 * 1_048_576
/** Smaller than the spare room, so that the room that it frees stays with the service. */
export const reserveBytes = 8 * 1_048_576
const measuredForMs = 1_000

export interface DiskRoom {
  /** Removes the reserve if the disk is full, or makes it again. Call it from time to time. */
  measure(): void
  /** Throws if clients must not add anything. Deleting is always allowed. */
  needRoom(): void
  /** Throws if there is no room for this many bytes. */
  checkRoom(bytes: number): Promise<void>
}

/** For stores on another machine. */
export const unlimitedRoom: DiskRoom = {
  measure: () => undefined,
  needRoom: () => undefined,
  checkRoom: async () => undefined,
}

interface DiskRoomOptions {
  log: Log
  /** Free bytes on the disk of a folder. */
  free?: (folder: string) => number
  now?: () => number
}

const freeOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const reserveOf = (folder: string): string => path.join(folder, 'waypost.reserve')

/** Before the store is opened: makes room for that if the disk is full. */
export function freeReserve(folder: string, free = freeOf): void {
  try {
    if (free(folder) < reserveBytes) rmSync(reserveOf(folder), { force: true })
  } catch {
    // A folder that is missing or cannot be used is reported where it is opened.
  }
}

export function createDiskRoom(
  folder: string,
  { log, free = freeOf, now = () => performance.now() }: DiskRoomOptions,
): DiskRoom {
  let room = Number.POSITIVE_INFINITY
  let measuredAt = Number.NEGATIVE_INFINITY
  let isLow = false
  let hasReserve = false

  const read = (): void => {
    try {
      room = free(folder)
      measuredAt = now()
    } catch (error) {
      log.warn({ error }, 'the room on the disk of the data folder could not be read')
    }
  }
  const keepReserve = (): void => {
    const file = reserveOf(folder)
    try {
      if (room < reserveBytes) {
        rmSync(file, { force: true })
        hasReserve = false
        read()
      } else if (!hasReserve && room > spareBytes + 2 * reserveBytes) {
        // Not zeros, which some file systems do not store.
        writeFileSync(file, Buffer.alloc(reserveBytes, 'waypost reserve '), { mode: 0o600 })
        hasReserve = true
        read()
      }
    } catch (error) {
      log.warn({ error }, 'the reserve of the disk could not be kept')
    }
  }
  const measure = (): void => {
    read()
    keepReserve()
    const was = isLow
    isLow = room < spareBytes
    if (isLow && !was) log.error({ free_bytes: room }, 'the disk is full: clients can read and delete, and not write')
    if (was && !isLow) log.warn({ free_bytes: room }, 'the disk has room again: clients can write')
  }
  const full = (): ApiError =>
    new ApiError(
      'service_unavailable',
      `the disk of the service is full (${Math.floor(room / 1_048_576)} MB left): reading and deleting work, writing does not until there is room again`,
      { retryAfter: 60 },
    )
  return {
    measure,
    needRoom() {
      if (isLow) throw full()
    },
    async checkRoom(bytes) {
      if (now() - measuredAt >= measuredForMs) measure()
      if (room - bytes < spareBytes) throw full()
    },
  }
}
