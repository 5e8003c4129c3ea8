/** The guides of the site: the pages that docs/README.md links to, grouped and ordered as there. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { project } from './part.ts'

export interface Guide {
  /** Its name in URLs. */
  name: string
  /** Its file, relative to the project's folder. */
  file: string
  group: string
}

export const guideListFile = 'docs/README.md'

/** Names of guides whose file has another name. */
const names: Record<string, string> = {
  'README.md': 'waypost',
  'packages/sdk/README.md': 'sdk',
  'examples/README.md': 'examples',
}

const nameOf = (file: string): string => names[file] ?? path.basename(file, '.md').toLowerCase()

/** Every page once, in the first group that links to it. The link target may have an anchor. */
export function guidesIn(list: string): Guide[] {
  const guides = new Map<string, Guide>()
  for (const section of list.split(/^## /m).slice(1)) {
    const group = section.slice(0, section.indexOf('\n'))
    for (const [, href = ''] of section.matchAll(/\]\(([^)#]+\.md)(?:#[^)]*)?\)/g)) {
      const file = path.posix.join(path.posix.dirname(guideListFile), href)
      if (!guides.has(file)) guides.set(file, { name: nameOf(file), file, group })
    }
  }
  return [...guides.values()]
}

/** A package or image without some of the files has the other guides. */
export const listGuides = (): Guide[] =>
  guidesIn(readFileSync(path.join(project, guideListFile), 'utf8')).filter(({ file }) =>
    existsSync(path.join(project, file)),
  )
