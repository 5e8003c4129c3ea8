// The ids of folders and items, in Exchange's form: the mailbox and the entry id. They are long, base64 and
// case-sensitive. An item's id contains its folder, so a move changes it. Data after the entry id identifies an
// object that is not stored separately, such as an occurrence of a series.
import { malformedId } from '../soap/errors.ts'

const messages = 0x07
const folders = 0x01

export interface EwsId {
  readonly kind: 'folder' | 'item'
  /** A GUID. */
  readonly mailbox: string
  /** The number of the folder in its mailbox; for an item, that of its folder. */
  readonly folder: number
  /** The number of the item; 0 for a folder. */
  readonly item: number
  /** The data after the entry id; empty for a stored item. */
  readonly extra: Buffer
}

export function writeId({
  kind,
  mailbox,
  folder,
  item,
  extra = Buffer.alloc(0),
}: Omit<EwsId, 'extra'> & { extra?: Buffer }): string {
  const entry = entryId({ kind, mailbox, folder, item })
  const head = Buffer.from([0, 3, mailbox.length, 0])
  const length = Buffer.from([0, entry.length, 0])
  const tail = extra.length === 0 ? Buffer.from([0, 0]) : Buffer.concat([Buffer.from([0, extra.length]), extra])
  return Buffer.concat([head, Buffer.from(mailbox), length, entry, tail]).toString('base64')
}

/** The MAPI entry id. */
export function entryId({ kind, mailbox, folder, item }: Omit<EwsId, 'extra'>): Buffer {
  const store = Buffer.from(mailbox.replaceAll('-', ''), 'hex')
  const type = Buffer.from([kind === 'item' ? messages : folders, 0])
  const parts = [Buffer.alloc(4), store, type, store.toReversed(), counter(folder)]
  if (kind === 'item') parts.push(store.toReversed(), counter(item))
  return Buffer.concat(parts)
}

/** Parses an id; throws Exchange's error if it is invalid. */
export function readId(text: string): EwsId {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text || bytes.length < 60 || bytes[2] !== 36) throw malformedId()
  const mailbox = bytes.toString('latin1', 4, 40)
  const length = bytes[41] ?? 0
  const kind = length === 70 ? 'item' : length === 46 ? 'folder' : undefined
  const entry = bytes.subarray(43, 43 + length)
  const tail = bytes.subarray(43 + length)
  if (!/^[\da-f-]{36}$/.test(mailbox) || kind === undefined || entry.length < length || tail.length < 2)
    throw malformedId()
  return {
    kind,
    mailbox,
    folder: entry.readUIntBE(38, 6),
    item: kind === 'item' ? entry.readUIntBE(62, 6) : 0,
    extra: Buffer.from(tail.subarray(2)),
  }
}

/** Parses a MAPI entry id; throws Exchange's error if it is invalid. */
export function readEntryId(bytes: Buffer): EwsId {
  const kind = bytes.length === 70 ? 'item' : bytes.length === 46 ? 'folder' : undefined
  if (kind === undefined) throw malformedId()
  const mailbox = bytes.toString('hex', 4, 20).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const item = kind === 'item' ? bytes.readUIntBE(62, 6) : 0
  return { kind, mailbox, folder: bytes.readUIntBE(38, 6), item, extra: Buffer.alloc(0) }
}

/** A new change key for every change. */
export function changeKey(mailbox: string, change: number): string {
  const head = Buffer.from([0x09, 0, 0, 0, 0x16, 0, 0, 0])
  const store = Buffer.from(mailbox.replaceAll('-', ''), 'hex')
  return Buffer.concat([head, store, counter(change).subarray(0, 6)]).toString('base64')
}

/** Six bytes of the number and two zero bytes. */
function counter(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUIntBE(value, 0, 6)
  return bytes
}
