/** Random bytes, drawn in advance: requesting a few from the system costs as much as requesting thousands. */
import { randomFillSync } from 'node:crypto'

const drawn = Buffer.alloc(4096)
let used = drawn.length

/** Random bytes owned by the caller. Each byte is issued once, and no copy stays here. */
export function randomBytes(count: number): Buffer {
  if (count > drawn.length) return randomFillSync(Buffer.alloc(count))
  if (used + count > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const bytes = Buffer.from(drawn.subarray(used, used + count))
  drawn.fill(0, used, used + count)
  used += count
  return bytes
}
