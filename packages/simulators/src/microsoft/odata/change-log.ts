// What happened to the items of one collection (the messages of a folder, the contacts of an account), for delta queries.

export interface Change {
  readonly at: number
  /** How the part knows the item, whatever id it shows. */
  readonly key: string
  readonly kind: 'created' | 'updated' | 'deleted'
  /** Where only some properties changed: those that a delta gives. */
  readonly fields?: readonly string[]
  /** Of an item that left: the id it was known by. */
  readonly was?: string
}

/** What became of an item since a moment. */
export interface Outcome {
  readonly key: string
  readonly isNew: boolean
  readonly fields: ReadonlySet<string> | undefined
  /** The ids it was known by and is no more, unless it is still (or again) shown under one. */
  readonly was: readonly string[]
}

export class ChangeLog {
  #changes: Change[] = []
  #at = 0
  #forgotten = 0
  /** Which error a delta token that is too old gets. */
  forgottenCode = 'SyncStateNotFound'

  /** The moment after the last change. */
  get now(): number {
    return this.#at
  }

  record(key: string, kind: Change['kind'], more: Pick<Change, 'fields' | 'was'> = {}): void {
    this.#changes.push({ at: ++this.#at, key, kind, ...more })
  }

  /** One outcome for each item that changed, by its last change; undefined for a moment that is forgotten. */
  since(at: number): Outcome[] | undefined {
    if (at < this.#forgotten) return undefined
    const outcomes = new Map<string, Outcome>()
    for (const change of this.#changes.filter((each) => each.at > at)) {
      const before = outcomes.get(change.key)
      const isWhole = change.fields === undefined || (before !== undefined && before.fields === undefined)
      outcomes.delete(change.key)
      outcomes.set(change.key, {
        key: change.key,
        isNew: change.kind === 'created' || before?.isNew === true,
        fields: isWhole ? undefined : new Set([...(before?.fields ?? []), ...(change.fields ?? [])]),
        was: change.was === undefined ? (before?.was ?? []) : [...(before?.was ?? []), change.was],
      })
    }
    return [...outcomes.values()]
  }

  /** Moments up to now are too old to ask from. */
  forget(code = 'SyncStateNotFound'): void {
    this.#changes = []
    this.#at++
    this.#forgotten = this.#at
    this.forgottenCode = code
  }
}
