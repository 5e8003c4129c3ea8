/** A part of the pages that is built by itself, where something that it is made of changed. */
import { existsSync, globSync, statSync } from 'node:fs'
import path from 'node:path'

export const project = path.join(import.meta.dirname, '../..')
export const packages = path.join(project, 'packages')

export interface PagePart {
  name: string
  /** The file that is written last. */
  built: string
  /** Everything that it is made of, but the scripts that build it. */
  sources(): string[]
  /** Builds it; how many bytes it has with gzip. */
  build(): Promise<number>
}

/** A folder and all that is in it: what was taken away changes the time of its folder. */
export const filesIn = (folder: string): string[] => [
  folder,
  ...globSync('**/*', { cwd: folder }).map((name) => path.join(folder, name)),
]

const timeOf = (file: string): number => statSync(file).mtimeMs
const scripts = (): string[] => [...filesIn(import.meta.dirname), path.join(import.meta.dirname, '../build-pages.ts')]

export function isCurrent(part: PagePart): boolean {
  if (!existsSync(part.built)) return false
  const built = timeOf(part.built)
  return [...part.sources(), ...scripts()].every((file) => timeOf(file) <= built)
}
