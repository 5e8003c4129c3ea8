// The changes of one collection (the messages of a folder, the contacts of an account), for delta queries.

export interface Change {
  readonly at: number
  /** The part's own key of the item, independent of its public ids. */
  readonly key: string
  readonly kind: 'created' | 'updated' | 'deleted'
  /** If only some properties changed: the properties that a delta query returns. */
  readonly fields?: readonly string[]
  /** For an item that left the collection: its former id. */
  readonly was?: string
}

/** The combined changes of one item since a position in the log. */
export interface Outcome {
  readonly key: string
  readonly isNew: boolean
  readonly fields: ReadonlySet<string> | undefined
  /** Its former ids. They are reported as removed unless the item has one of them now. */
  readonly was: readonly string[]
}

export class ChangeLog {
  #changes: Change[] = []
  #at = 0
  #forgotten = 0
  /** The error code for an expired delta token. */
  forgottenCode = 'SyncStateNotFound'

  /** The current position in the log. */
  get now(): number {
    return this.#at
  }

  record(key: string, kind: Change['kind'], more: Pick<Change, 'fields' | 'was'> = {}): void {
    this.#changes.push({ at: ++this.#at, key, kind, ...more })
  }

  /**
   * One outcome per changed item, in the order of its last change; undefined if the position is no longer available.
   */
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

  /** Makes all positions up to now unavailable. */
  forget(code = 'SyncStateNotFound'): void {
    this.#changes = []
    this.#at++
    this.#forgotten = this.#at
    this.forgottenCode = code
  }
}
