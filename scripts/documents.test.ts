/** Links and file names in the documents lead to files that exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { guideListFile, guidesIn } from './pages/guide-list.ts'
import { llmsText } from './pages/llms.ts'
import { project } from './pages/part.ts'
import { allReleases } from './release/releases.ts'
import { projectVersion } from './release/version-places.ts'

const textOf = (file: string): string => readFileSync(path.join(project, file), 'utf8')
const exists = (file: string): boolean => existsSync(path.join(project, file))

describe('docs/README.md', () => {
  const guides = guidesIn(textOf(guideListFile))

  test('links to every page in docs', () => {
    const pages = globSync('docs/{*,generated/*}.md', { cwd: project }).filter((file) => file !== guideListFile)
    expect(guides.map(({ file }) => file)).toEqual(expect.arrayContaining(pages))
  })

  test('links to files that exist, under names that differ', () => {
    expect(guides.filter(({ file }) => !exists(file))).toEqual([])
    expect(new Set(guides.map(({ name }) => name)).size).toBe(guides.length)
  })
})

test('llms.txt names every guide in its group, the API description, and the project itself last', () => {
  const guides = guidesIn(textOf(guideListFile)).map(({ name, group }) => ({ name, group, title: name, summary: 'S.' }))
  const text = llmsText(guides)
  expect(text).toMatch(/^# Waypost\n\n> /)
  expect(text).toContain('(/openapi.json)')
  for (const { name } of guides) expect(text).toContain(`- [${name}](/docs/guides/${name}): S.`)
  expect(text.indexOf('## Optional')).toBeLessThan(text.indexOf('/docs/guides/architecture'))
  expect(text.indexOf('## Optional')).toBeGreaterThan(text.indexOf('/docs/guides/mail'))
})

test('docs/upgrades.md says of every minor version next to which nodes it runs', () => {
  const minors = [...allReleases().map(({ version }) => version), projectVersion()].map((version) =>
    version.split('.').slice(0, 2).join('.'),
  )
  const rows = Array.from(textOf('docs/upgrades.md').matchAll(/^\| (\d+\.\d+)\.x \| (\d+\.\d+)\.[x\d] \|/gm))
  const wanted = [...new Set(minors)]
  expect(rows.map(([, minor, before]) => [minor, before])).toEqual(
    wanted.slice(1).map((minor, index) => [minor, wanted[index]]),
  )
})

test('docs/provider-changes.md has a decision for every change of a provider whose date has passed', () => {
  const lines = textOf('docs/provider-changes.md').split('\n').slice(1)
  const rows = lines.filter((line) => /^\| (?!Date|---)/.test(line)).map((line) => line.split(' | '))
  const today = new Date().toISOString().slice(0, 10)
  const dates = rows.map(([first = '']) => first.replace('| ', ''))
  expect(dates).toEqual(dates.toSorted())
  for (const [index, date] of dates.entries()) {
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
    const states = date <= today ? /^(?:Decided|Partly): / : /^(?:Decided|Partly|Open): /
    expect(rows[index]?.[3], `${date}: write what Waypost does, after "Decided: " or "Partly: "`).toMatch(states)
  }
  expect(dates.length).toBeGreaterThan(10)
})

test('relative links in documents lead to files', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/README.md'], {
    cwd: project,
    exclude: (name) => name.endsWith('node_modules'),
  })
  const broken = pages.flatMap((page) =>
    Array.from(textOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, href = '']) => href.split('#')[0] ?? '')
      .filter((href) => href !== '' && !/^[a-z]+:/.test(href))
      .filter((href) => !exists(path.posix.join(path.posix.dirname(page), href)))
      .map((href) => `${page}: ${href}`),
  )
  expect(broken).toEqual([])
})

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/journeys.md'])('files that %s names exist', (page) => {
  const names = Array.from(textOf(page).matchAll(/`([\w./-]+\/[\w./-]*|[\w-]+\.ts)`/g), ([, name = '']) => name)
  const files = globSync('{packages/*/{src,test},scripts}/**/*.ts', { cwd: project })
  /** `store/tables/` is the folder of the package `store`. */
  const inPackage = (name: string): boolean => exists(name.replace(/^([a-z]+)(?=\/)/, 'packages/$1/src'))
  const isFile = (name: string): boolean =>
    exists(name) ||
    exists(path.join('packages/server/src', name)) ||
    inPackage(name) ||
    files.some((file) => file.endsWith(`/${name}`))
  const places = names.filter(
    (name) =>
      name.endsWith('.ts') || /^(?:packages|docs|scripts|api|platform|formats|scheduling|store|providers)\//.test(name),
  )
  expect(places.filter((name) => !isFile(name) && !/[<*]|NNNN|^packages\/[a-z]+$/.test(name))).toEqual([])
})

describe.each(globSync('packages/*/package.json', { cwd: project }))('%s', (manifest) => {
  const folder = path.dirname(manifest)
  const { name, exports = {} } = JSON.parse(textOf(manifest))

  test('has a README next to it, whose entries of the package exist', () => {
    expect(exists(`${folder}/README.md`), `write ${folder}/README.md: what it is, its words, its entries`).toBe(true)
    const patterns = Object.keys(typeof exports === 'string' ? { '.': exports } : exports)
    const isEntry = (entry: string): boolean =>
      patterns.some((each) => (each.endsWith('*') ? entry.startsWith(each.slice(0, -1)) : entry === each))
    const named = Array.from(textOf(`${folder}/README.md`).matchAll(/`(@waypost\/[\w-]+)((?:\/[\w./-]+)?)`/g))
      .filter(([, of]) => of === name)
      .map(([, , entry]) => `.${entry}`)
    expect(named.filter((entry) => !isEntry(entry))).toEqual([])
  })
})
