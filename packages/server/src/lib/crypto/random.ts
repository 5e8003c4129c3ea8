/** Random bytes, drawn in advance: asking the system for a few costs as much as for thousands. */
import { randomFillSync } from 'node:crypto'

const drawn = Buffer.alloc(4096)
let used = drawn.length

/** Random bytes of our own; each is handed out once, and nothing of it stays here. */
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
