/**
 * The source of an earlier release, ready to run. Its files come from the history of the repository, and are written once
 * to build/source/<version>-<commit>, where later runs find them. Packages are those of this version, unless the release
 * has locked others: then they are installed there, or used from another release that locked the same.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { isOlder } from '@waypost/platform/versions'
import { allReleases, isReleased, readRelease, releaseFolder, root } from '../../../../scripts/release/releases.ts'
import { projectVersion } from '../../../../scripts/release/version-places.ts'

const run = promisify(execFile)

export interface ReleaseSource {
  version: string
  commit: string
  /** The root of the release's files. */
  folder: string
  /** Its `waypost` command, to be given to `node`: `node <program> serve`. */
  program: string
}

/** Why the source cannot be had, as a sentence. */
export interface MissingSource {
  missing: string
}

/** The newest release before the version of this tree: the one that users upgrade from. */
export function newestRelease(): string {
  const newest = allReleases().findLast(({ version }) => isOlder(version, projectVersion()))
  if (!newest) throw new Error(`the folder releases/ has no release before ${projectVersion()}`)
  return newest.version
}

/** The source of a release, from its commit. */
export function checkOutRelease(version: string): Promise<ReleaseSource | MissingSource> {
  if (isReleased(version)) return checkOut(version, readRelease(version).commit)
  return Promise.resolve({ missing: `${path.relative(root, releaseFolder(version))} has no release.json` })
}

/** The source of any commit. */
export async function checkOut(version: string, commit: string): Promise<ReleaseSource | MissingSource> {
  const sources = path.join(root, 'build/source')
  const folder = path.join(sources, `${version}-${commit.slice(0, 12)}`)
  const source = { version, commit, folder, program: path.join(folder, 'packages/server/src/main.ts') }
  if (existsSync(folder)) {
    // The packages above `build/` may have been updated since.
    const problem = isInstalled(folder) ? undefined : await addPackages(folder)
    return problem ? uninstallable(version, problem) : source
  }
  if (!(await hasCommit(commit))) {
    return {
      missing: `the history here does not have ${commit.slice(0, 12)}, the commit of ${version}: fetch it all (git fetch --unshallow)`,
    }
  }
  await mkdir(sources, { recursive: true })
  const unfinished = await mkdtemp(path.join(sources, 'unfinished-'))
  try {
    await extract(commit, unfinished)
    const problem = await addPackages(unfinished)
    if (problem) return uninstallable(version, problem)
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (!existsSync(folder)) throw error
    })
    return source
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

const uninstallable = (version: string, problem: string): MissingSource => ({
  missing: `the packages of ${version} cannot be installed: ${problem}`,
})

const hasCommit = (commit: string): Promise<boolean> =>
  run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  )

/** All but tests and benchmarks, which a release does not need to run. */
async function extract(commit: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`
  const paths = ['.', ':(exclude)packages/*/test', ':(exclude)bench', ':(exclude)tools', ':(exclude)releases']
  try {
    await run('git', ['archive', '--format=tar', `--output=${archive}`, commit, '--', ...paths], { cwd: root })
    await run('tar', ['-xf', archive, '-C', folder])
  } finally {
    await rm(archive, { force: true })
  }
}

const isInstalled = (folder: string): boolean => existsSync(path.join(folder, 'node_modules/.package-lock.json'))

/** Has imports find the release's own packages. Everything else is found above `build/`. */
async function addPackages(folder: string): Promise<string | undefined> {
  const packages = lockedIn(folder)
  if (!hasAll(lockedIn(root), packages)) {
    const other = await installedElsewhere(packages)
    if (!other) return install(folder)
    await linkAll(other, path.join(folder, 'node_modules'), (name) => !/^(\.|@waypost$)/.test(name))
  }
  await linkAll(path.join(folder, 'packages'), path.join(folder, 'node_modules/@waypost'))
  return undefined
}

/** Adds relative links to the entries of a folder. Those that lead nowhere are replaced. */
async function linkAll(from: string, to: string, isWanted: (name: string) => boolean = () => true): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of (await readdir(from)).filter(isWanted)) {
    const link = path.join(to, name)
    if (existsSync(link)) continue
    await rm(link, { force: true })
    await symlink(path.relative(to, path.join(from, name)), link).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** The packages of a release that has installed these. */
async function installedElsewhere(packages: ReadonlyMap<string, string>): Promise<string | undefined> {
  const sources = path.join(root, 'build/source')
  const folders = (await readdir(sources)).filter((name) => !name.startsWith('unfinished-'))
  const found = folders
    .map((name) => path.join(sources, name))
    .find((folder) => isInstalled(folder) && hasAll(lockedIn(folder), packages))
  return found && path.join(found, 'node_modules')
}

/** Whether all packages are among the installed ones, in the same versions. */
const hasAll = (installed: ReadonlyMap<string, string>, packages: ReadonlyMap<string, string>): boolean =>
  Array.from(packages).every(([name, version]) => installed.get(name) === version)

interface Locked {
  version?: string
  dev?: boolean
  devOptional?: boolean
  link?: boolean
}

/** The versions of the packages in production. */
function lockedIn(folder: string): ReadonlyMap<string, string> {
  const lock: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(path.join(folder, 'package-lock.json'), 'utf8'),
  )
  const used = Object.entries(lock.packages).filter(
    ([name, { dev, devOptional, link }]) => name.startsWith('node_modules/') && !dev && !devOptional && !link,
  )
  return new Map(used.map(([name, { version = '' }]) => [name, version]))
}

async function install(folder: string): Promise<string | undefined> {
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  return run('npm', ['ci', ...options], { cwd: folder }).then(
    () => undefined,
    (error: Error) => error.message.split('\n').slice(0, 3).join(' '),
  )
}
