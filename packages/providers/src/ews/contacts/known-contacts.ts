/**
 * The records of a watch about the contacts of a folder, stored in its cursor: the version of each item, and the
 * search key of the contact, so that the notification of a deleted one contains the id that clients have. Pure.
 */
import { createHash } from 'node:crypto'
import { affixesOf, withAffixes, withoutAffixes } from '../watch/common-affixes.ts'

/** At most this many are recorded per folder; others are not. */
export const maxKnown = 5_000

export interface StoredContacts {
  prefix: string
  suffix: string
  /** For each contact the middle of its id, its version and its search key, concatenated. */
  list: string
}

interface CachedVersion {
  version: string
  /** As base64url; empty if the server returned none. */
  key: string
}

/** The version of a contact; its id is that of the item in the API. */
export interface ContactVersion {
  id: string
  changeKey: string | undefined
  searchKey: Buffer | undefined
}

const versionLength = 4

export class KnownContacts {
  readonly #items = new Map<string, CachedVersion>()

  constructor(stored?: StoredContacts) {
    for (const record of stored?.list.split(' ') ?? []) {
      const [middle = '', rest = ''] = record.split('.')
      if (stored && middle) {
        const id = withAffixes(middle, stored)
        this.#items.set(id, { version: rest.slice(0, versionLength), key: rest.slice(versionLength) })
      }
    }
  }

  /** Whether there may be contacts that are not recorded. */
  get isFull(): boolean {
    return this.#items.size >= maxKnown
  }

  has(id: string): boolean {
    return this.#items.has(id)
  }

  /** The search key of an item; undefined if there is none. */
  keyOf(id: string): Buffer | undefined {
    const key = this.#items.get(id)?.key
    return key ? Buffer.from(key, 'base64url') : undefined
  }

  /** Whether the recorded version of an item is current. */
  isCurrent({ id, changeKey }: ContactVersion): boolean {
    return this.#items.get(id)?.version === versionOf(changeKey)
  }

  add({ id, changeKey, searchKey }: ContactVersion): void {
    if (this.isFull && !this.#items.has(id)) return
    this.#items.set(id, { version: versionOf(changeKey), key: searchKey?.toString('base64url') ?? '' })
  }

  delete(id: string): void {
    this.#items.delete(id)
  }

  ids(): string[] {
    return [...this.#items.keys()]
  }

  stored(): StoredContacts {
    const affixes = affixesOf(this.ids())
    const records = [...this.#items].map(([id, { version, key }]) => `${withoutAffixes(id, affixes)}.${version}${key}`)
    return { ...affixes, list: records.join(' ') }
  }
}

const versionOf = (changeKey = ''): string =>
  createHash('sha256').update(changeKey).digest('base64url').slice(0, versionLength)
