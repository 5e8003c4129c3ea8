/**
 * `npm run release`: builds everything that a version consists of into build/release/<version>, and writes
 * releases/<version>, the stores that later versions must open. Before, it runs the tests on a cluster of Citus: nothing
 * else runs them, and users have such stores. It publishes nothing.
 *
 * `npm run release -- --rehearse` builds the files from any tree without these tests, and leaves releases/ alone. `--json` prints the result
 * for programs; progress goes to the error stream.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { citusMissing } from '@waypost/testing/peers/citus'
import { buildPackages, packImageContext, writeBillOfMaterials, writeChecksums } from './release/artifacts.ts'
import { readChangelog } from './release/changelog.ts'
import { releaseNotes } from './release/notes.ts'
import { refusalsOf } from './release/refusals.ts'
import { isReleased, root } from './release/releases.ts'
import { headCommit, writeStoreFixtures } from './release/store-fixtures.ts'
import { projectVersion } from './release/version-places.ts'

const { json, rehearse } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rehearse: { type: 'boolean', default: false } },
}).values

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const progress = (text: string): void => console.error(`release: ${text}`)

const version = projectVersion()
const commit = headCommit()
const changes = readChangelog()

function refuse(reasons: readonly string[]): never {
  if (json) console.error(JSON.stringify({ error: reasons.join('; ') }))
  else for (const reason of reasons) progress(reason)
  process.exit(1)
}

const reasons = refusalsOf({
  version,
  changedFiles: rehearse ? [] : git('status', '--porcelain').split('\n').filter(Boolean),
  newestChanges: changes[0]?.version,
  exists: !rehearse && (isReleased(version) || git('tag', '--list', `v${version}`) !== ''),
  citusMissing: rehearse ? undefined : citusMissing,
})
if (reasons.length > 0) refuse(reasons)

if (!rehearse) {
  progress('the tests on Citus')
  // Results go to the error stream: the output may be for programs.
  const { status } = spawnSync('npm', ['run', 'test:citus'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) refuse(['the tests on Citus failed: repair what they show'])
}

const into = path.join(root, 'build/release', version)
rmSync(into, { recursive: true, force: true })
mkdirSync(into, { recursive: true })

progress(`${version} from ${commit.slice(0, 12)}: packages`)
buildPackages(version, into)
progress('what the image is built from')
packImageContext(version, commit, into)
progress('bill of materials')
writeBillOfMaterials(version, into)
const notes = changes.find((each) => each.version === version)
if (notes) writeFileSync(path.join(into, 'RELEASE-NOTES.md'), releaseNotes(notes))
writeChecksums(into)
const files = readdirSync(into).toSorted()
if (!rehearse) progress('stores of this version, made by running it')
const stores = rehearse ? [] : await writeStoreFixtures(version)

if (json) {
  const place = path.relative(root, into)
  console.log(
    JSON.stringify({
      version,
      commit,
      folder: place,
      files,
      stores: stores.map((file) => `releases/${version}/${file}`),
    }),
  )
} else {
  console.log(`build/release/${version}:`)
  for (const file of files) console.log(`  ${file}  ${Math.ceil(statSync(path.join(into, file)).size / 1024)} KB`)
  if (!rehearse) {
    console.log(`\nWhat to do next:
  git add releases/${version} && git commit -m "release: ${version}"
  git tag v${version} ${commit}
  git push origin main v${version}    # the release workflow builds the same files, and publishes them`)
  }
}
