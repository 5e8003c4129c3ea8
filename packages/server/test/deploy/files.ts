/** The files with which operators run the service, as tests read them. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { settings } from '../../src/settings.ts'

export const root = fileURLToPath(new URL('../../../..', import.meta.url))
export const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect of them
export type Document = any

/** The documents of a YAML file. Throws if there is a syntax error. */
export function documentsOf(file: string): Document[] {
  return parseAllDocuments(textOf(file)).map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem) throw new Error(`${file}: ${problem.message}`)
    return document.toJS()
  })
}

/** Lines of `NAME=value`, without comments. */
export const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from(text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm), ([, name, value]) => [name, value]))

/** Names that look like settings of the service but are none. Settings with the suffix of files count as known. */
export const unknownSettings = (names: string[]): string[] =>
  names
    .filter((name) => /^(?:WAYPOST_|DATABASE_URL)/.test(name))
    .filter((name) => !(name in settings.shape) && !(name.replace(/_FILE$/, '') in settings.shape))

export const { version, optionalDependencies, scripts } = JSON.parse(textOf('package.json'))
