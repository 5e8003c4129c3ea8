/** Reads CHANGELOG.md: versions with their dates, newest first, and under each the sections with one line per entry. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compareVersions } from '../../packages/platform/src/versions.ts'
import { root } from './releases.ts'
import { isVersion } from './versions.ts'

export const sectionNames = ['Upgrade', 'Added', 'Changed', 'Security', 'Fixed'] as const
export type SectionName = (typeof sectionNames)[number]

export interface Section {
  name: SectionName
  /** Without the dash; Markdown. */
  entries: string[]
}

export interface VersionChanges {
  version: string
  /** The day of the release, such as 2026-11-18. */
  date: string
  title?: string
  sections: Section[]
}

/** The first line that has another form, and how to write it. */
export class ChangelogError extends Error {}

const heading = /^## (\S+) \((\d{4}-\d\d-\d\d)\)(?:: (.+))?$/
const isDay = (text: string): boolean => !Number.isNaN(Date.parse(text))

export function parseChangelog(text: string): VersionChanges[] {
  const versions: VersionChanges[] = []
  text.split('\n').forEach((line, index) => {
    const refuse = (what: string): never => {
      throw new ChangelogError(`CHANGELOG.md, line ${index + 1}: ${what}`)
    }
    const current = versions.at(-1)
    if (line.startsWith('## ')) {
      const [, version = '', date = '', title] = heading.exec(line) ?? []
      if (!isVersion(version) || !isDay(date)) refuse('write "## 1.2.3 (2026-11-18)" with the version and its day')
      if (current && compareVersions(version, current.version) >= 0)
        refuse(`${version} belongs above ${current.version}`)
      versions.push({ version, date, ...(title ? { title } : {}), sections: [] })
    } else if (line.startsWith('### ')) {
      const name =
        sectionNames.find((each) => each === line.slice(4)) ?? refuse(`a section is ${sectionNames.join(', ')}`)
      if (!current) refuse('a section belongs to a version')
      if (current?.sections.some((each) => each.name === name)) refuse(`${name} is there twice`)
      current?.sections.push({ name, entries: [] })
    } else if (current && line !== '') {
      const entries = current.sections.at(-1)?.entries ?? refuse('an entry belongs to a section')
      if (!/^- \S.*[.:)]$/.test(line)) refuse('an entry is one line that starts with "- " and ends with a period')
      entries.push(line.slice(2))
    }
  })
  const empty = versions.find(
    ({ sections }) => sections.length === 0 || sections.some((each) => each.entries.length === 0),
  )
  if (empty) throw new ChangelogError(`CHANGELOG.md: ${empty.version} has no entries, or a section without entries`)
  return versions
}

export const readChangelog = (): VersionChanges[] =>
  parseChangelog(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'))
