/**
 * Transfers a long list from a worker thread to the main thread. One message would be unpacked in one go, however
 * long it is. So the list is serialized in slices, whose memory is transferred without copying. The main thread
 * unpacks them one after the other and yields in between.
 */
import { deserialize, serialize } from 'node:v8'
import { yieldBetween } from './yielding.ts'

/** Maximum weight of a slice, in characters plus `objectWeight` per object: about one millisecond to unpack. */
const sliceWeight = 128 * 1024
const objectWeight = 200

export type Slices = readonly Uint8Array[]

/** Serializes a list, item by item. */
export class SliceWriter<T> {
  readonly #slices: Uint8Array[] = []
  #items: T[] = []
  #weight = 0

  /** `characters` and `objects` are the approximate size of the item. */
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

/** Unpacks a list that our own thread has serialized, yielding in between. */
export async function unpackSlices<T>(slices: Slices, take: (item: T) => void): Promise<void> {
  const othersTurn = yieldBetween()
  for (const slice of slices) {
    await othersTurn()
    const items: T[] = deserialize(slice)
    for (const item of items) take(item)
  }
}
