/** Suggests the name that a mistyped one was probably meant to be. */

/** The number of letters to insert, delete, replace or swap with a neighbor to turn one text into the other. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** Longer texts are not compared, because the cost grows with the product of both lengths. */
const maxLength = 64

/** The closest name, if one is close enough to be a typing mistake. */
export function closest(given: string, names: Iterable<string>): string | undefined {
  if (given.length > maxLength) return undefined
  const text = given.toLowerCase()
  const allowed = Math.max(1, Math.floor(text.length / 3))
  let best: { name: string; off: number } | undefined
  for (const name of names) {
    if (name.length > maxLength) continue
    const candidate = name.toLowerCase()
    const begins = text.length > 1 && candidate.startsWith(text)
    const off = begins ? 0.5 : distance(text, candidate)
    if (off <= allowed && (best === undefined || off < best.off)) best = { name, off }
  }
  return best?.name
}
