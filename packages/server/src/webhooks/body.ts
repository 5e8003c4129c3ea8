/** The bytes of a body: what stands before its last part, the part as it was stored, and the end. */
export type WriteBody = (opening: string, data: string) => Buffer

const slabBytes = 262_144
const closing = '}'

/**
 * Writes bodies one behind the other: memory of its own for each costs more than to write it. What they were written to is
 * let go with the last of them; a long body is written apart.
 */
export function createBodyWriter(): WriteBody {
  let slab = Buffer.allocUnsafeSlow(slabBytes)
  let used = 0
  return (opening, data) => {
    const maxBytes = 3 * (opening.length + data.length + closing.length)
    if (maxBytes > slabBytes / 4) return Buffer.from(opening + data + closing)
    if (used + maxBytes > slabBytes) {
      slab = Buffer.allocUnsafeSlow(slabBytes)
      used = 0
    }
    const start = used
    used += slab.write(opening, used)
    used += slab.write(data, used)
    used += slab.write(closing, used)
    return slab.subarray(start, used)
  }
}
