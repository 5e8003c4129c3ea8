/** A part of the pages that is built separately, when one of its sources changed. */
import { existsSync, globSync, statSync } from 'node:fs'
import path from 'node:path'

export const project = path.join(import.meta.dirname, '../..')
export const packages = path.join(project, 'packages')

export interface PagePart {
  name: string
  /** The file that is written last. */
  built: string
  /** All its sources, except the scripts that build it. */
  sources(): string[]
  /** Builds it; returns its size with gzip, in bytes. */
  build(): Promise<number>
}

/** A folder and its contents, including subfolders: deleting a file changes the time of its folder. */
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
