/** docs/compatibility.md is correct: the suites that it names run the listed peers in the listed versions. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compatibility } from './compatibility.ts'
import type { Compatible, Mark } from './compatibility-entry.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const imported = /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+'([^']+)'|(?:^|\n)\s*import\s+'([^']+)'/g

/** The imports of a file: packages by name, files by their path in the project. */
const importsOf = (file: string): string[] =>
  Array.from(read(file).matchAll(imported), ([, named, bare]) => named ?? bare ?? '').map((from) => {
    if (from.startsWith('.')) return path.posix.join(path.posix.dirname(file), from)
    return from.replace(/^@waypost\/testing\/(.*)$/, 'packages/testing/src/$1.ts')
  })

/** The modules that a suite imports, directly or through other test files. Imports of the service are not peers. */
function modulesOf(file: string, known = new Set<string>()): Set<string> {
  for (const module of importsOf(file)) {
    if (known.has(module)) continue
    known.add(module)
    if (/\/test\/.*\.ts$|^packages\/testing\//.test(module)) modulesOf(module, known)
  }
  return known
}

const has = (suite: string, mark: Mark): boolean =>
  'text' in mark ? read(suite).includes(mark.text) : modulesOf(suite).has(mark.module)

const peers = compatibility.flatMap((group) => group.peers)

describe('docs/compatibility.md', () => {
  test.for(peers)('$name is run by the suites that are named', ({ suites, marks }: Compatible) => {
    expect(suites.length).toBeGreaterThan(0)
    expect(suites).toEqual([...new Set(suites)])
    for (const name of suites) {
      const suite = `packages/${name}`
      expect(suite).toMatch(/\.(test|check|full)\.ts$/)
      expect(existsSync(path.join(root, suite)), suite).toBe(true)
      expect(
        marks.some((mark) => has(suite, mark)),
        `${suite} has none of ${JSON.stringify(marks)}`,
      ).toBe(true)
    }
  })

  test('a suite that does not run a peer is told from one that does', () => {
    const cyrus: Mark = { module: 'packages/testing/src/peers/cyrus.ts' }
    expect(has('packages/server/test/conformance/imap-cyrus.check.ts', cyrus)).toBe(true)
    expect(has('packages/server/test/conformance/imap-old.check.ts', cyrus)).toBe(false)
  })

  const packaged = peers.flatMap(({ name, version }) => ('debian' in version ? [{ name, ...version }] : []))
  test.for(packaged)('$name is of the version that is installed here', ({ debian, version }, { skip }) => {
    const answer = statusOf(debian)
    skip(answer === undefined, `${debian} of Debian 12 is not installed here`)
    const upstream = /^Version: (?:\d+:)?(.*)$/m.exec(answer ?? '')?.[1] ?? 'not installed'
    expect(`${upstream}.`, `${debian} ${upstream}`).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')}[.+-]`))
  })
})

/** The version of a package according to dpkg, on the Debian release for which the page is generated. */
function statusOf(name: string): string | undefined {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!/^ID=debian$/m.test(release) || !/^VERSION_ID="12"$/m.test(release)) return undefined
  const { status, stdout } = spawnSync('dpkg-query', ['--status', name], { encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}
