/** The form of an entry in docs/compatibility.md: a client or server that the suites run. */
import { globSync } from 'node:fs'
import path from 'node:path'

/** How it is seen that a suite runs a peer. */
export type Mark =
  /** The suite, or what it imports, imports this: a package, or a file from the project's folder. */
  | { module: string }
  /** These words stand in the suite itself. */
  | { text: string }

/** Where the version is written down. */
export type Version =
  /** Packages of npm, by package.json. */
  | { npm: readonly string[] }
  /** A package of Debian; the version as far as it must be the same. */
  | { debian: string; version: string }
  /** The runtimes of packages/sdk/test/packed/runtimes.ts. */
  | { runtimes: true }
  /** What comes with the Node of package.json. */
  | { node: true }
  /** None that could be told. */
  | { text: string }

export interface Compatible {
  name: string
  version: Version
  marks: readonly Mark[]
  /** From packages/. */
  suites: readonly string[]
  shows: string
  /** What is known to differ from others, and why. */
  differs: readonly string[]
}

const packages = path.join(import.meta.dirname, '../../..')
const journeyFiles = new Map(
  globSync('server/test/journeys/**/*.ts', { cwd: packages }).map((file) => [path.basename(file), file]),
)

export const peer = (name: string): Mark => ({ module: `packages/server/test/peers/${name}.ts` })
export const conformance = (...names: string[]): string[] => names.map((name) => `server/test/conformance/${name}`)
/** Journeys are in subfolders, and their names are unique. */
export const journeys = (...names: string[]): string[] =>
  names.map((name) => journeyFiles.get(name) ?? `server/test/journeys/${name}`)
export const simulators = (...names: string[]): string[] => names.map((name) => `simulators/test/${name}`)
