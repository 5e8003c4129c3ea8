/** The last lines of a run: which servers are missing, which suites were skipped for it, and what to install. */
import path from 'node:path'
import { installCommands, missingNeeds, type Need, skipNote } from '@waypost/testing/peers/needs'
import type { Reporter, TestModule } from 'vitest/node'
import type { SkippedFile } from './missing-servers.ts'

export class SkippedReporter implements Reporter {
  readonly #skipped: readonly SkippedFile[]

  constructor(skipped: readonly SkippedFile[]) {
    this.#skipped = skipped
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const text = skippedText(this.#skipped, modules.flatMap(notesOf))
    if (text !== '') console.log(`\n${text}`)
  }
}

/** The notes of the tests that were skipped. */
const notesOf = (module: TestModule): string[] =>
  Array.from(module.children.allTests('skipped'), (test) => test.result()).flatMap((result) =>
    result.state === 'skipped' && result.note !== undefined ? [result.note] : [],
  )

export function skippedText(
  skipped: readonly SkippedFile[],
  notes: readonly string[],
  missing: readonly Need[] = missingNeeds(),
): string {
  const used = missing.flatMap((need) => {
    const files = skipped.filter(({ needs }) => needs.some(({ name }) => name === need.name))
    const tests = notes.filter((note) => note === skipNote(need.name)).length
    return files.length + tests > 0 ? [{ need, lines: linesFor(need, files, tests) }] : []
  })
  if (used.length === 0) return ''
  return [
    `Skipped: ${skipped.length} test files, because servers or programs are missing here.`,
    ...used.flatMap(({ lines }) => lines),
    'Install them, as root on Debian:',
    ...installCommands(used.map(({ need }) => need)).map((command) => `  ${command}`),
  ].join('\n')
}

function linesFor({ name, why }: Need, files: readonly SkippedFile[], tests: number): string[] {
  const folders = Map.groupBy(files, ({ file }) => path.posix.dirname(file))
  const counts = [
    ...(files.length > 0 ? [`${files.length} files`] : []),
    ...(tests > 0 ? [`${tests} single tests`] : []),
  ].join(' and ')
  return [
    `  ${name} (${why}): ${counts}`,
    ...Array.from(folders, ([folder, those]) => {
      const names = those.map(({ file }) => path.posix.basename(file).replace(/\.\w+\.ts$/, ''))
      return `    ${folder}: ${names.join(', ')}`
    }),
  ]
}
