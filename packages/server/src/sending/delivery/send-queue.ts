/**
 * Messages that a node has claimed but not sent yet. Grants take turns, a few messages at a time each, and the total
 * is limited. So a grant with many messages does not delay the others.
 */
export interface QueueOptions<T> {
  grantOf(item: T): string
  run(item: T): Promise<void>
  /** Concurrent messages per grant, and in total. */
  perGrant: number
  overall(): number
  /** Called when no message of a grant is waiting any more. */
  onDry(): void
}

interface GrantQueue<T> {
  waiting: T[]
  running: number
}

export class SendQueue<T> {
  readonly #options: QueueOptions<T>
  readonly #grants = new Map<string, GrantQueue<T>>()
  #running = 0
  #waiting = 0
  #idle: (() => void)[] = []

  constructor(options: QueueOptions<T>) {
    this.#options = options
  }

  get size(): number {
    return this.#running + this.#waiting
  }

  get waiting(): number {
    return this.#waiting
  }

  get running(): number {
    return this.#running
  }

  /** Number of waiting messages of a grant. */
  waitingOf(grant: string): number {
    return this.#grants.get(grant)?.waiting.length ?? 0
  }

  /** Grants with at least `count` waiting messages. */
  crowded(count: number): string[] {
    return [...this.#grants].filter(([, { waiting }]) => waiting.length >= count).map(([grant]) => grant)
  }

  add(items: readonly T[]): void {
    for (const item of items) {
      const grant = this.#options.grantOf(item)
      const queued = this.#grants.get(grant) ?? { waiting: [], running: 0 }
      this.#grants.set(grant, queued)
      queued.waiting.push(item)
      this.#waiting++
    }
    this.pump()
  }

  /** Removes and returns all waiting messages. */
  clear(): T[] {
    const items = [...this.#grants.values()].flatMap(({ waiting }) => waiting.splice(0))
    this.#waiting = 0
    return items
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Starts as many messages as allowed. */
  pump(): void {
    const { perGrant } = this.#options
    const overall = this.#options.overall()
    for (let begun = true; begun && this.#waiting > 0 && this.#running < overall; ) {
      begun = false
      for (const [grant, queued] of this.#grants) {
        if (this.#running >= overall) break
        if (queued.running >= perGrant) continue
        const item = queued.waiting.shift()
        if (item === undefined) continue
        // A grant that was served moves to the end.
        this.#grants.delete(grant)
        this.#grants.set(grant, queued)
        this.#start(grant, queued, item)
        begun = true
      }
    }
  }

  #start(grant: string, queued: GrantQueue<T>, item: T): void {
    this.#waiting--
    this.#running++
    queued.running++
    void this.#options.run(item).finally(() => {
      this.#running--
      queued.running--
      if (queued.waiting.length === 0) {
        if (queued.running === 0) this.#grants.delete(grant)
        this.#options.onDry()
      }
      this.pump()
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
    })
  }
}
