/** What a release consists of: one version everywhere, a changelog of one form, notes from it. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compareVersions } from '../packages/platform/src/versions.ts'
import { excludedPaths } from './release/artifacts.ts'
import { ChangelogError, parseChangelog, readChangelog } from './release/changelog.ts'
import { releaseNotes } from './release/notes.ts'
import { type ReleaseFacts, refusalsOf } from './release/refusals.ts'
import { allReleases, root } from './release/releases.ts'
import { projectVersion, versionPlaces, versionsIn } from './release/version-places.ts'
import { isVersion } from './release/versions.ts'

describe('the version', () => {
  test.for(Object.keys(versionPlaces))('is the same in %s', (file) => {
    expect(versionsIn(file)).toEqual([projectVersion()])
  })

  test('is written in every package', () => {
    const packages = readdirSync(`${root}/packages`).map((name) => `packages/${name}/package.json`)
    expect(Object.keys(versionPlaces)).toEqual(expect.arrayContaining(packages))
  })

  test('is the top version of the changelog', () => {
    expect(readChangelog()[0]?.version).toBe(projectVersion())
  })

  test('orders by number, not by letter', () => {
    expect(['1.10.0', '0.9.12', '1.9.0', '1.9.0'].toSorted(compareVersions)).toEqual([
      ...['0.9.12', '1.9.0', '1.9.0', '1.10.0'],
    ])
    expect(['1.0', '01.0.0', '1.0.0-rc.1', 'v1.0.0'].filter(isVersion)).toEqual([])
  })
})

describe('the changelog', () => {
  test('has every version with its day, the newest first, and its sections', () => {
    const versions = readChangelog()
    expect(versions.length).toBeGreaterThan(8)
    for (const { version, date } of allReleases()) {
      expect(versions.find((each) => each.version === version)?.date).toBe(date)
    }
  })

  const start = '# Changelog\n\nNewest first.\n\n'
  test.for<[what: string, text: string, refusal: RegExp]>([
    ['a version without a day', '## 1.0.0\n', /line 5: write "## 1\.2\.3 \(2026-11-18\)"/],
    ['a day that does not exist', '## 1.0.0 (2026-13-01)\n', /line 5: write/],
    ['"Unreleased"', '## Unreleased\n', /line 5: write/],
    ['versions in the wrong order', '## 1.0.0 (2026-11-18)\n## 1.1.0 (2026-11-19)\n', /1\.1\.0 belongs above 1\.0\.0/],
    ['an unknown section', '## 1.0.0 (2026-11-18)\n### Removed\n', /a section is Upgrade, Added, Changed/],
    ['a section twice', '## 1.0.0 (2026-11-18)\n### Added\n- One.\n### Added\n', /Added is there twice/],
    ['an entry without a section', '## 1.0.0 (2026-11-18)\n- One.\n', /an entry belongs to a section/],
    ['an entry on two lines', '## 1.0.0 (2026-11-18)\n### Added\n- One\n  two.\n', /line 7: an entry is one line/],
    ['an empty section', '## 1.0.0 (2026-11-18)\n### Added\n', /1\.0\.0 has no entries/],
  ])('cannot have %s', ([, text, refusal]) => {
    expect(() => parseChangelog(start + text)).toThrow(refusal)
    expect(() => parseChangelog(start + text)).toThrow(ChangelogError)
  })
})

test('release notes begin with what an operator must do, and name files instead of links', () => {
  const [changes] = parseChangelog(`## 1.2.0 (2026-12-01)
### Added
- A page ([docs/page.md](docs/page.md)), see [the ADR](docs/adr/1.md) and [elsewhere](https://example.com).
### Changed
- Tables have other names. **Upgrade:** stop all nodes.
`)
  if (!changes) throw new Error('nothing was parsed')
  const notes = releaseNotes(changes)
  expect(notes).toMatch(/^# Waypost 1\.2\.0\n\nReleased on 2026-12-01\.\n\n## Before you upgrade\n\n- Tables have/)
  expect(notes).toContain(
    '- A page (docs/page.md), see the ADR (docs/adr/1.md) and [elsewhere](https://example.com).\n',
  )
  expect(notes).not.toContain('## Changed')
  expect(notes).toContain('waypost-1.2.0.tgz')
})

describe('a release is refused', () => {
  const good: ReleaseFacts = {
    version: '1.2.0',
    changedFiles: [],
    newestChanges: '1.2.0',
    exists: false,
    citusMissing: undefined,
  }
  test.for<[what: string, facts: Partial<ReleaseFacts>, refusal: string]>([
    ['from a tree with changes', { changedFiles: [' M README.md', '?? new.ts'] }, '( M README.md and 1 more): commit'],
    ['without a section of the changelog', { newestChanges: '1.1.0' }, 'write the section of 1.2.0 above it'],
    ['of a version that exists', { exists: true }, '1.2.0 was released already: choose the next version'],
    ['where no tests on Citus run', { citusMissing: 'skipped: no Citus' }, 'they would be skipped: no Citus'],
  ])('%s', ([, facts, refusal]) => {
    expect(refusalsOf({ ...good, ...facts })).toEqual([expect.stringContaining(refusal)])
  })

  test('for nothing else', () => {
    expect(refusalsOf(good)).toEqual([])
  })
})

test('the files of the image are those that .dockerignore leaves, and the Dockerfile', () => {
  expect(excludedPaths('# comment\n.git\n**/test\nDockerfile\ncompose.yaml\n')).toEqual([
    ...[':(exclude,glob).git', ':(exclude,glob).git/**', ':(exclude,glob)**/test', ':(exclude,glob)**/test/**'],
  ])
})
