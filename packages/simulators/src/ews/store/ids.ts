// The ids of folders and items, of the form that Exchange's have: the mailbox, and the entry id in it. They are long, base64 and
// case-sensitive. That of an item names the folder it is in, and so is another one after a move. Something may stand behind the
// entry id of an item for what is not stored by itself, such as an occurrence of a series.
import { malformedId } from '../soap/errors.ts'

const MESSAGES = 0x07
const FOLDERS = 0x01

export interface EwsId {
  readonly kind: 'folder' | 'item'
  /** A GUID. */
  readonly mailbox: string
  /** The number of the folder in its mailbox: its own, or that of the item's folder. */
  readonly folder: number
  /** The number of the item; 0 for a folder. */
  readonly item: number
  /** What stands behind the entry id; empty for what is stored. */
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

/** What MAPI names it by. */
export function entryId({ kind, mailbox, folder, item }: Omit<EwsId, 'extra'>): Buffer {
  const store = Buffer.from(mailbox.replaceAll('-', ''), 'hex')
  const type = Buffer.from([kind === 'item' ? MESSAGES : FOLDERS, 0])
  const parts = [Buffer.alloc(4), store, type, store.toReversed(), counter(folder)]
  if (kind === 'item') parts.push(store.toReversed(), counter(item))
  return Buffer.concat(parts)
}

/** Reads an id; throws as Exchange does where it is none. */
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

/** Reads what MAPI names something by; throws as Exchange does where it is none. */
export function readEntryId(bytes: Buffer): EwsId {
  const kind = bytes.length === 70 ? 'item' : bytes.length === 46 ? 'folder' : undefined
  if (kind === undefined) throw malformedId()
  const mailbox = bytes.toString('hex', 4, 20).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const item = kind === 'item' ? bytes.readUIntBE(62, 6) : 0
  return { kind, mailbox, folder: bytes.readUIntBE(38, 6), item, extra: Buffer.alloc(0) }
}

/** Another one with every change. */
export function changeKey(mailbox: string, change: number): string {
  const head = Buffer.from([0x09, 0, 0, 0, 0x16, 0, 0, 0])
  const store = Buffer.from(mailbox.replaceAll('-', ''), 'hex')
  return Buffer.concat([head, store, counter(change).subarray(0, 6)]).toString('base64')
}

/** Six bytes of a number and two of nothing. */
function counter(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUIntBE(value, 0, 6)
  return bytes
}
