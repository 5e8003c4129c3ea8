// The ids of calendars, events, contacts and their folders, made of the keys that these parts have for them: an occurrence of a
// series is found by its id though it is stored nowhere. That of an item names the folder it is in, and so is another one after
// a move; an immutable id does not. Both name the mailbox: in another one they stand for nothing.
// https://learn.microsoft.com/graph/outlook-immutable-id
import { itemNotFound, malformedId } from './errors.ts'
import type { AccountOwner } from './owner.ts'

const IMMUTABLE = 'AAkALgAA'
const MUTABLE = 'AAMkAD'

export interface ItemPlace {
  /** The key of the folder; empty for a folder itself. */
  readonly folder: string
  readonly key: string
}

export function itemId(owner: Pick<AccountOwner, 'oid'>, { folder, key }: ItemPlace, immutable: boolean): string {
  const text = immutable ? key : `${folder}\n${key}`
  const bytes = Buffer.concat([Buffer.from(owner.oid.replaceAll('-', ''), 'hex'), Buffer.from(text)])
  const encoded = bytes.toString('base64').replaceAll('+', '_').replaceAll('/', '-')
  return (immutable ? IMMUTABLE : MUTABLE) + encoded
}

export function folderId(owner: Pick<AccountOwner, 'oid'>, key: string): string {
  return itemId(owner, { folder: '', key }, false)
}

/** What an id stands for; of an immutable one the folder is undefined. */
export interface ReadId {
  readonly folder: string | undefined
  readonly key: string
}

/** Reads an id of this mailbox; throws as Exchange does where it is none. */
export function readId(owner: Pick<AccountOwner, 'oid'>, id: string): ReadId {
  const immutable = id.startsWith(IMMUTABLE)
  const prefix = immutable ? IMMUTABLE : MUTABLE
  const encoded = id.slice(prefix.length)
  if (!id.startsWith(prefix) || !/^[\w-]{24,}={0,2}$/.test(encoded)) throw malformedId()
  const bytes = Buffer.from(encoded.replaceAll('_', '+').replaceAll('-', '/'), 'base64')
  if (bytes.toString('hex', 0, 16) !== owner.oid.replaceAll('-', '')) throw itemNotFound()
  const text = bytes.toString('utf8', 16)
  if (immutable) return { folder: undefined, key: text }
  const line = text.indexOf('\n')
  if (line < 0) throw malformedId()
  return { folder: text.slice(0, line), key: text.slice(line + 1) }
}
