/**
 * What a node has claimed and not sent yet: in turn by grant, a few at a time for each of them and bounded overall, so that
 * a grant with much to send holds up no other one.
 */
export interface QueueOptions<T> {
  grantOf(item: T): string
  run(item: T): Promise<void>
  /** How many run at a time: of one grant, and of all. */
  perGrant: number
  overall(): number
  /** Called when a grant has nothing waiting any more. */
  onDry(): void
}

interface Lane<T> {
  waiting: T[]
  running: number
}

export class SendQueue<T> {
  readonly #options: QueueOptions<T>
  readonly #lanes = new Map<string, Lane<T>>()
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

  /** How many of a grant wait. */
  waitingOf(grant: string): number {
    return this.#lanes.get(grant)?.waiting.length ?? 0
  }

  /** The grants of which so many wait. */
  crowded(count: number): string[] {
    return [...this.#lanes].filter(([, { waiting }]) => waiting.length >= count).map(([grant]) => grant)
  }

  add(items: readonly T[]): void {
    for (const item of items) {
      const grant = this.#options.grantOf(item)
      const lane = this.#lanes.get(grant) ?? { waiting: [], running: 0 }
      this.#lanes.set(grant, lane)
      lane.waiting.push(item)
      this.#waiting++
    }
    this.pump()
  }

  /** Forgets what waits, and answers it. */
  clear(): T[] {
    const items = [...this.#lanes.values()].flatMap(({ waiting }) => waiting.splice(0))
    this.#waiting = 0
    return items
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Begins what may begin now. */
  pump(): void {
    const { perGrant } = this.#options
    const overall = this.#options.overall()
    for (let begun = true; begun && this.#waiting > 0 && this.#running < overall; ) {
      begun = false
      for (const [grant, lane] of this.#lanes) {
        if (this.#running >= overall) break
        if (lane.running >= perGrant) continue
        const item = lane.waiting.shift()
        if (item === undefined) continue
        // Whoever was served stands at the end.
        this.#lanes.delete(grant)
        this.#lanes.set(grant, lane)
        this.#start(grant, lane, item)
        begun = true
      }
    }
  }

  #start(grant: string, lane: Lane<T>, item: T): void {
    this.#waiting--
    this.#running++
    lane.running++
    void this.#options.run(item).finally(() => {
      this.#running--
      lane.running--
      if (lane.waiting.length === 0) {
        if (lane.running === 0) this.#lanes.delete(grant)
        this.#options.onDry()
      }
      this.pump()
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
    })
  }
}
