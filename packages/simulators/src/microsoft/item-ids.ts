// The ids of calendars, events, contacts and their folders, derived from the keys of these parts. So the id of an
// occurrence works although the occurrence is not stored. An item's id contains its folder and changes with a move;
// an immutable id does not. Both contain the mailbox and are invalid in any other.
// https://learn.microsoft.com/graph/outlook-immutable-id
import { itemNotFound, malformedId } from './errors.ts'
import type { AccountOwner } from './owner.ts'

const IMMUTABLE = 'AAkALgAA'
const mutable = 'AAMkAD'

export interface ItemPlace {
  /** The key of the folder; empty for a folder itself. */
  readonly folder: string
  readonly key: string
}

export function itemId(owner: Pick<AccountOwner, 'oid'>, { folder, key }: ItemPlace, immutable: boolean): string {
  const text = immutable ? key : `${folder}\n${key}`
  const bytes = Buffer.concat([Buffer.from(owner.oid.replaceAll('-', ''), 'hex'), Buffer.from(text)])
  const encoded = bytes.toString('base64').replaceAll('+', '_').replaceAll('/', '-')
  return (immutable ? IMMUTABLE : mutable) + encoded
}

export function folderId(owner: Pick<AccountOwner, 'oid'>, key: string): string {
  return itemId(owner, { folder: '', key }, false)
}

/** The decoded id; an immutable id has no folder. */
export interface ReadId {
  readonly folder: string | undefined
  readonly key: string
}

/** Decodes an id of this mailbox; throws Exchange's error if it is invalid. */
export function readId(owner: Pick<AccountOwner, 'oid'>, id: string): ReadId {
  const immutable = id.startsWith(IMMUTABLE)
  const prefix = immutable ? IMMUTABLE : mutable
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
