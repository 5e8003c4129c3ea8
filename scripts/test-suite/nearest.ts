/**
 * Which test files to run for a change. Nearly all of them reach every module of the server, because they open a service.
 * So the files are ranked: those that share words with the path of what changed (`calendar`, `google`) and those that
 * import it over few steps come first. As many run as fit into a budget of processor seconds.
 */
import path from 'node:path'
import { importsOf, laterImportsOf } from './missing-servers.ts'

export interface Ranked {
  file: string
  /** Steps of imports from the test file to what changed; 0 for a test file that changed. */
  distance: number
  /** How many words of the paths are the same. */
  words: number
}

/** Words that say where a file is, and nothing about its subject. */
const common = new Set(
  'package server src test index api handler provider platform testing store journey conformance format setup'.split(
    ' ',
  ),
)

export const wordsOf = (file: string): Set<string> =>
  new Set(
    file
      .replace(/\.(test|check|full)?\.?tsx?$/, '')
      .split(/[^a-z0-9]+/i)
      .map((word) => word.toLowerCase().replace(/(?<=...)s$/, ''))
      .filter((word) => word !== '' && !common.has(word)),
  )

/** By file: who imports it. */
export function importers(files: readonly string[], root: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of files) {
    const all = [...importsOf(file, root), ...laterImportsOf(file, root)]
    for (const imported of all) found.set(imported, [...(found.get(imported) ?? []), file])
  }
  return found
}

/** The test files that reach one of the changed files, the nearest first. */
export function nearestTests(
  changed: readonly string[],
  tests: ReadonlySet<string>,
  importedBy: ReadonlyMap<string, readonly string[]>,
): Ranked[] {
  const distances = new Map(changed.map((file) => [file, 0]))
  // A map can grow while it is read, and gives the nearest first.
  for (const [file, distance] of distances) {
    for (const next of importedBy.get(file) ?? []) if (!distances.has(next)) distances.set(next, distance + 1)
  }
  const subject = new Set(changed.flatMap((file) => [...wordsOf(file)]))
  return Array.from(distances)
    .filter(([file]) => tests.has(file))
    .map(([file, distance]) => ({ file, distance, words: wordsOf(file).intersection(subject).size }))
    .toSorted((a, b) => rank(a) - rank(b) || a.distance - b.distance || (a.file < b.file ? -1 : 1))
}

/** What a test file imports itself comes first, whatever its name. */
const rank = ({ distance, words }: Ranked): number => (distance <= 1 ? distance - 100 : distance - 3 * words)

/** Whether a change can be expected to show in the file: it imports what changed over few steps, or has its subject. */
const isNear = ({ distance, words }: Ranked): boolean => distance <= 3 || words > 0

/** The near files that fit into the budget. Test files that changed themselves run in any case. */
export function withinBudget(
  ranked: readonly Ranked[],
  costOf: (file: string) => number,
  seconds: number,
): { chosen: string[]; left: string[] } {
  const chosen: string[] = []
  const left: string[] = []
  let spent = 0
  for (const each of ranked) {
    const { file, distance } = each
    const cost = costOf(file)
    if (distance === 0 || seconds === Infinity || (isNear(each) && spent + cost <= seconds)) {
      chosen.push(file)
      spent += cost
    } else left.push(file)
  }
  return { chosen, left }
}

export const isTestFile = (file: string): boolean =>
  /^(packages\/[^/]+\/test\/.*|scripts\/[^/]*)\.(test|check|full)\.ts$/.test(file)

/** The path as git and the tables write it. */
export const normalized = (file: string): string => file.split(path.sep).join('/')
