/** Versions of Waypost, such as `1.10.0` or `1.0.0-rc.1` (semver.org, §11). */
import { readFileSync } from 'node:fs'

const partsOf = (version: string): { numbers: number[]; label: string } => {
  const [core = '', ...label] = version.split('-')
  return { numbers: core.split('.').map((part) => Number.parseInt(part, 10) || 0), label: label.join('-') }
}

/** Negative if `a` is older than `b`. An empty version is older than all others. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let place = 0; place < 3; place++) {
    const difference = (left.numbers[place] ?? 0) - (right.numbers[place] ?? 0)
    if (difference !== 0) return difference
  }
  // A version before the release has a label.
  if (left.label === right.label) return 0
  if (left.label === '' || right.label === '') return left.label === '' ? 1 : -1
  return left.label < right.label ? -1 : 1
}

export const isOlder = (version: string, than: string): boolean => compareVersions(version, than) < 0

/** The version of this package. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../server/package.json', import.meta.url), 'utf8'),
).version
