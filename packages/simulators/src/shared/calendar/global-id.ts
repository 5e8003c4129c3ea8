// The global object id of a meeting, visible as `iCalUId`. It is the same in every mailbox. Bytes 16 to 19 contain
// the day of an occurrence, so every occurrence has its own id. [MS-OXOCAL] 2.2.1.27
import { randomBytes } from 'node:crypto'

const prefix = '040000008200E00074C5B7101A82E008'
/** Milliseconds from 1601 to 1970. */
const fileTimeEpoch = 11_644_473_600_000

/** A new id without an occurrence day. */
export function newGlobalId(now: number): string {
  const time = Buffer.alloc(8)
  time.writeBigUInt64LE(BigInt(now + fileTimeEpoch) * 10_000n)
  return `${prefix}00000000${hex(time)}000000000000000010000000${hex(randomBytes(16))}`
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase()
}

/** The id of the occurrence that the series has on `date`. */
export function occurrenceGlobalId(uid: string, date: string): string {
  if (!uid.startsWith(prefix)) return uid
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const bytes = Buffer.from([year >> 8, year & 0xff, month, day])
  return `${prefix}${hex(bytes)}${uid.slice(prefix.length + 8)}`
}

const foreign = Buffer.concat([Buffer.from('vCal-Uid'), Buffer.from([1, 0, 0, 0])])

/** The bytes of a meeting's id, with or without an occurrence day. The UID of another system is wrapped. */
export function globalIdBytes(uid: string, date?: string): Buffer {
  const bare = isGlobalId(uid) ? Buffer.from(uid, 'hex') : wrapped(uid)
  if (date === undefined) return bare
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  Buffer.from([year >> 8, year & 0xff, month, day]).copy(bare, prefix.length / 2)
  return bare
}

function isGlobalId(uid: string): boolean {
  return uid.startsWith(prefix) && /^(?:[\dA-F]{2})+$/.test(uid)
}

function wrapped(uid: string): Buffer {
  const data = Buffer.concat([foreign, Buffer.from(uid), Buffer.alloc(1)])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.alloc(20), length, data])
}
