/** The page on OWASP ASVS is complete, and its tables and the files that it names are correct. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/asvs.md', root), 'utf8')

interface Row {
  requirements: string[]
  status: string
  tests: string[]
}

const rows: Row[] = [...page.matchAll(/^\| (\d+\.\d+\.\d+[^|]*) \| ([^|]+) \| ([^|]*) \|([^|]*)\|$/gm)].map(
  ([, requirements = '', status = '', , tests = '']) => ({
    requirements: requirements.split(', '),
    status,
    tests: Array.from(tests.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  }),
)

/** Requirements of levels 1 and 2 of version 5.0.0, by chapter. */
const counts = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]
const statuses = ['met', 'partly', 'not met', 'n/a']

describe('docs/asvs.md', () => {
  test('has every requirement of levels 1 and 2 once, with a status', () => {
    const all = rows.flatMap(({ requirements }) => requirements)
    expect(new Set(all).size).toBe(all.length)
    const found = counts.map((_, index) => all.filter((each) => each.startsWith(`${index + 1}.`)).length)
    expect(found).toEqual(counts)
    expect(rows.filter(({ status }) => !statuses.includes(status))).toEqual([])
  })

  test('counts in its summary what its tables say', () => {
    for (const [index] of counts.entries()) {
      const own = rows.filter(({ requirements: [first = ''] }) => first.startsWith(`${index + 1}.`))
      const count = (status: string): number =>
        own.filter((row) => row.status === status).reduce((sum, { requirements }) => sum + requirements.length, 0)
      const [, said = ''] = new RegExp(`^\\| \\[V${index + 1} [^|]*\\|(.*)\\|$`, 'm').exec(page) ?? []
      expect(said.split('|').map(Number), `V${index + 1}`).toEqual(statuses.map(count))
    }
  })

  test('names tests that exist', () => {
    const names = [...new Set(rows.flatMap(({ tests }) => tests))]
    expect(names.length).toBeGreaterThan(50)
    const missing = names.filter((name) => {
      // A test of the package `platform` is named `platform/…`, and one of the server without its package.
      const places = [name, `packages/server/test/${name}`, `packages/${name.replace('/', '/test/')}`]
      return !places.some((place) => existsSync(new URL(place, root)))
    })
    expect(missing).toEqual([])
  })
})
