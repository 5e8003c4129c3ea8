/** The type of an entry in docs/compatibility.md: a client or server that the suites run. */
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'

/** How compatibility.test.ts recognizes that a suite runs a peer. */
export type Mark =
  /** The suite, or one of its imports, imports this: a package, or a file by its path in the project. */
  | { module: string }
  /** The suite itself contains this text. */
  | { text: string }

/** Where the version is specified. */
export type Version =
  /** A package of npm, by package.json. */
  | { npm: readonly string[] }
  /** A package of Debian, with the part of the version that must match. */
  | { debian: string; version: string }
  /** The runtimes of packages/sdk/test/packed/runtimes.ts. */
  | { runtimes: true }
  /** Part of the Node of package.json. */
  | { node: true }
  /** No version. */
  | { text: string }

export interface Compatible {
  name: string
  version: Version
  marks: readonly Mark[]
  /** Relative to packages/. */
  suites: readonly string[]
  shows: string
  /** Known differences from other peers, and their reasons. */
  differs: readonly string[]
}

const packages = path.join(import.meta.dirname, '../../..')
const journeyFiles = new Map(
  globSync('server/test/journeys/**/*.ts', { cwd: packages }).map((file) => [path.basename(file), file]),
)

export const peer = (name: string): Mark => ({
  module:
    [`packages/testing/src/peers/${name}.ts`, `packages/server/test/peers/${name}.ts`].find((file) =>
      existsSync(path.join(packages, '..', file)),
    ) ?? name,
})
export const conformance = (...names: string[]): string[] => names.map((name) => `server/test/conformance/${name}`)
/** Journeys are in subfolders, and their names are unique. */
export const journeys = (...names: string[]): string[] =>
  names.map((name) => journeyFiles.get(name) ?? `server/test/journeys/${name}`)
export const simulators = (...names: string[]): string[] => names.map((name) => `simulators/test/${name}`)
