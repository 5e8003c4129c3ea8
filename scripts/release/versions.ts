/** Version numbers: three numbers, as in Semantic Versioning, without labels. */
const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

export const isVersion = (text: string): boolean => form.test(text)

/** Negative if `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  const place = left.findIndex((part, index) => part !== right[index])
  return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0)
}

function partsOf(version: string): number[] {
  const parts = form.exec(version)
  if (!parts) throw new Error(`"${version}" is no version: write three numbers, such as 1.0.0`)
  return parts.slice(1).map(Number)
}
