/**
 * Which test files do not run here because a server is missing (`packages/testing/src/peers/needs.ts`). Imports decide:
 * a file that reaches the module of a server through files of tests needs the server.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { missingNeeds, type Need } from '@waypost/testing/peers/needs'

export interface SkippedFile {
  file: string
  needs: Need[]
}

const imported =
  /^\s*(?:import|export)\s(?!type\s)[^'"`;]*?from\s+'((?:\.|@waypost\/)[^']+)'|^\s*import\s+'(\.[^']+)'/gm

const importedLater = /\bimport\('((?:\.|@waypost\/)[^']+)'\)/g

/** The files that a file imports before it runs: no packages of others, and no types alone. */
export function importsOf(file: string, root: string): string[] {
  const full = path.join(root, file)
  if (!existsSync(full)) return []
  return Array.from(readFileSync(full, 'utf8').matchAll(imported), ([, from = '', bare]) =>
    fileOf(bare ?? from, file, root),
  )
}

/** The files that a file can import while it runs. */
export function laterImportsOf(file: string, root: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return Array.from(text.matchAll(importedLater), ([, from = '']) => fileOf(from, file, root))
}

/** The file that an import names: `./clock.ts`, `@waypost/contract` or `@waypost/store/engine/open`. */
function fileOf(from: string, file: string, root: string): string {
  if (from.startsWith('.')) return path.posix.join(path.posix.dirname(file), from)
  const [, folder = '', ...entry] = from.split('/')
  const source = path.posix.join('packages', folder, 'src', ...entry)
  return entry.length > 0 && existsSync(path.join(root, `${source}.ts`)) ? `${source}.ts` : `${source}/index.ts`
}

/** Remembers what it has read: most files reach the same helpers. */
export function moduleReader(root: string): (file: string) => ReadonlySet<string> {
  const imports = new Map<string, string[]>()
  const read = (file: string): string[] => {
    const known = imports.get(file) ?? importsOf(file, root)
    imports.set(file, known)
    return known
  }
  return (file) => {
    const reached = new Set([file])
    // A set can grow while it is read.
    for (const each of reached) {
      if (each === file || /\/test\/.*\.ts$|^packages\/testing\//.test(each))
        for (const next of read(each)) reached.add(next)
    }
    return reached
  }
}

/** The files that need a missing server, with these servers. */
export function skippedFiles(files: readonly string[], root: string, missing = missingNeeds()): SkippedFile[] {
  if (missing.every(({ modules }) => modules === undefined)) return []
  const modulesOf = moduleReader(root)
  return files.flatMap((file) => {
    const modules = modulesOf(file)
    const needs = missing.filter((need) => need.modules?.some((name) => modules.has(`packages/${name}`)))
    return needs.length > 0 ? [{ file, needs }] : []
  })
}
