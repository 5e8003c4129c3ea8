/** Streams in pieces, and objects in batches, of the size that a provider accepts. */

/**
 * The bytes of a stream in pieces of equal size; the last one may be shorter. All pieces share one buffer: the collector
 * frees large buffers late.
 */
export async function* inPieces(
  stream: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes)
  let size = 0
  for await (const part of stream) {
    for (let rest = part; rest.length > 0; ) {
      const taken = rest.subarray(0, pieceBytes - size)
      piece.set(taken, size)
      size += taken.length
      rest = rest.subarray(taken.length)
      if (size < pieceBytes) continue
      yield piece
      size = 0
    }
  }
  if (size > 0) yield piece.subarray(0, size)
}

/** Objects in batches of limited size, in their order; a larger one is alone. */
export function bySize<T>(things: readonly T[], max: number, sizeOf: (thing: T) => number): T[][] {
  const batches: T[][] = []
  let room = 0
  for (const thing of things) {
    const size = sizeOf(thing)
    if (size > room || batches.length === 0) {
      batches.push([])
      room = max
    }
    batches.at(-1)?.push(thing)
    room -= size
  }
  return batches
}
