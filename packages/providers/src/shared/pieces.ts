/** Streams in pieces, and lists in groups, of bounded size. */

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

/** Groups items in their order, so that no group is larger than `max`. A larger item is a group of its own. */
export function inGroups<T>(items: Iterable<T>, sizeOf: (item: T) => number, max: number): T[][] {
  const groups: T[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (groups.length === 0 || size > left) {
      groups.push([])
      left = max
    }
    groups.at(-1)?.push(item)
    left -= size
  }
  return groups
}
