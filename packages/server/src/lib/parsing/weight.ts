/** How much there is in a value: what is heavy is worked on in another thread, what is light where it is. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  for (const each of Array.isArray(value) ? value : Object.values(value)) sum += 8 + weightOf(each)
  return sum
}
