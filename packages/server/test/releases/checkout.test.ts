/** The source of earlier releases: found by its commit, and run as it was. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isCheck } from '@waypost/testing/level'
import { processEnvironment } from '@waypost/testing/programs'
import { describe, expect, test } from 'vitest'
import { allReleases, readRelease } from '../../../../scripts/release/releases.ts'
import { projectVersion } from '../../../../scripts/release/version-places.ts'
import { checkOut, checkOutRelease, newestRelease } from './checkout.ts'

const run = promisify(execFile)

// The newest comes first: older ones use its packages.
const releases = isCheck ? allReleases().toReversed() : [readRelease(newestRelease())]

describe.each(releases)('release $version', ({ version, commit }) => {
  test('its source runs, and reports its own version', async ({ skip }) => {
    const source = await checkOutRelease(version)
    if ('missing' in source) return skip(source.missing)
    expect(source.commit).toBe(commit)
    const { stdout } = await run(process.execPath, [source.program, '--version'], { env: processEnvironment })
    expect(stdout.trim()).toBe(version)
  })
})

test('the newest release is the last one before the version of this tree', () => {
  const before = allReleases().filter(({ version }) => version !== projectVersion())
  expect(newestRelease()).toBe(before.at(-1)?.version)
})

test('a commit that the history lacks is reported with the remedy', async () => {
  expect(await checkOut('0.0.0', '0'.repeat(40))).toEqual({ missing: expect.stringContaining('git fetch --unshallow') })
})

test('a version that was never released is reported', async () => {
  expect(await checkOutRelease('0.0.0')).toEqual({ missing: 'releases/0.0.0 has no release.json' })
})
