/** The folder `releases/`: for each released version its release.json and the stores that it left behind. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { compareVersions } from '../../packages/platform/src/versions.ts'
import { isVersion } from './versions.ts'

export const root = path.join(import.meta.dirname, '../..')
const releases = path.join(root, 'releases')

export interface Release {
  version: string
  /** The day of the release, such as 2026-11-18. */
  date: string
  /** The commit whose files the version consists of. */
  commit: string
  /** Where its stores are. */
  folder: string
}

export const releaseFolder = (version: string): string => path.join(releases, version)
export const isReleased = (version: string): boolean => existsSync(path.join(releaseFolder(version), 'release.json'))

export function readRelease(version: string): Release {
  const folder = releaseFolder(version)
  const file = path.join(folder, 'release.json')
  const text = JSON.parse(readFileSync(file, 'utf8'))
  if (text.version !== version) throw new Error(`${file} is about version ${text.version}: correct its "version"`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text.date)) throw new Error(`${file} needs a "date" such as 2026-11-18`)
  if (!/^[0-9a-f]{40}$/.test(text.commit)) throw new Error(`${file} needs the "commit" in full, 40 hexadecimal digits`)
  return { version, date: text.date, commit: text.commit, folder }
}

/** Every release, the oldest first. */
export const allReleases = (): Release[] =>
  readdirSync(releases).filter(isVersion).filter(isReleased).toSorted(compareVersions).map(readRelease)
