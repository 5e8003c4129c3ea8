import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { guideListFile, guidesIn } from './pages/guide-list.ts'
import { project } from './pages/part.ts'

describe('docs/README.md', () => {
  const guides = guidesIn(readFileSync(path.join(project, guideListFile), 'utf8'))

  test('links to every page in docs', () => {
    const pages = globSync('docs/{*,generated/*}.md', { cwd: project }).filter((file) => file !== guideListFile)
    expect(guides.map(({ file }) => file)).toEqual(expect.arrayContaining(pages))
  })

  test('links to files that exist, under names that differ', () => {
    expect(guides.filter(({ file }) => !existsSync(path.join(project, file)))).toEqual([])
    expect(new Set(guides.map(({ name }) => name)).size).toBe(guides.length)
  })
})
