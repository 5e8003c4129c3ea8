/** The approximate size of a value. Heavy values are processed in another thread. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  for (const each of Array.isArray(value) ? value : Object.values(value)) sum += 8 + weightOf(each)
  return sum
}
