/**
 * `node scripts/release/store-fixtures.ts 1.2.3`: writes releases/1.2.3, what the version leaves behind for later ones:
 * release.json and the filled stores. A version that has no release.json yet is that of the last commit.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkOut } from '../../packages/server/test/releases/checkout.ts'
import { makeFixtures } from '../../packages/server/test/releases/make-fixture.ts'
import { readChangelog } from './changelog.ts'
import { isReleased, readRelease, releaseFolder, root } from './releases.ts'
import { isVersion } from './versions.ts'

/** The commit that is checked out. */
export const headCommit = (): string =>
  execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()

/** Writes the folder of a version. Returns the names of the files. */
export async function writeStoreFixtures(version: string): Promise<string[]> {
  const folder = releaseFolder(version)
  const isNew = !isReleased(version)
  const commit = isNew ? headCommit() : readRelease(version).commit
  const date = readChangelog().find((each) => each.version === version)?.date
  if (!date) throw new Error(`CHANGELOG.md has no section of ${version}: write it first`)
  const source = await checkOut(version, commit)
  if ('missing' in source) throw new Error(source.missing)
  try {
    const files = await makeFixtures(source, folder)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'release.json'), `${JSON.stringify({ version, date, commit }, null, 2)}\n`)
    return ['release.json', ...files]
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version = ''] = process.argv.slice(2)
  if (isVersion(version)) {
    const files = await writeStoreFixtures(version)
    console.log(`releases/${version}: ${files.join(', ')}`)
  } else {
    console.error(`"${version}" is no version: node scripts/release/store-fixtures.ts 1.2.3`)
    process.exitCode = 2
  }
}
