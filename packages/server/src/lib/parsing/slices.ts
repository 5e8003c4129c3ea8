/**
 * A long list on its way from a worker thread to the thread that answers requests. One message would be unpacked in one
 * go, however long it is. So the list travels as packed slices, whose memory is handed over and not copied, and they are
 * unpacked one after the other, with turns for others in between.
 */
import { deserialize, serialize } from 'node:v8'
import { takingTurns } from './turns.ts'

/** What one slice may weigh, in characters and in `objectWeight` for each object: about a millisecond to unpack. */
const sliceWeight = 128 * 1024
const objectWeight = 200

export type Slices = readonly Uint8Array[]

/** Packs a list, item by item. */
export class SliceWriter<T> {
  readonly #slices: Uint8Array[] = []
  #items: T[] = []
  #weight = 0

  /** `characters` and `objects` are what the item holds, roughly. */
  add(item: T, { characters, objects }: { characters: number; objects: number }): void {
    this.#items.push(item)
    this.#weight += characters + objects * objectWeight
    if (this.#weight >= sliceWeight) this.#flush()
  }

  slices(): Slices {
    if (this.#items.length > 0) this.#flush()
    return this.#slices
  }

  #flush(): void {
    this.#slices.push(serialize(this.#items))
    this.#items = []
    this.#weight = 0
  }
}

/** Unpacks a list that our own thread has packed, and lets others have their turns. */
export async function unpackSlices<T>(slices: Slices, take: (item: T) => void): Promise<void> {
  const othersTurn = takingTurns()
  for (const slice of slices) {
    await othersTurn()
    const items: T[] = deserialize(slice)
    for (const item of items) take(item)
  }
}
