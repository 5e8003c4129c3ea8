/**
 * Where the version is written. The root's package.json decides; `node scripts/release/set-version.ts 1.2.3` writes a
 * new one everywhere, and a test fails if the places disagree.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './releases.ts'

const number = String.raw`\d+\.\d+\.\d+`
/** Every pattern has the text before the version, and the version. */
const manifest = [
  new RegExp(String.raw`("name": "(?:waypost|@waypost/[a-z-]+)",\s+"version": ")(${number})`, 'g'),
  new RegExp(`("@waypost/[a-z-]+": ")(${number})`, 'g'),
]
const label = [new RegExp(String.raw`(image\.version=")(${number})`, 'g')]
const artifact = [new RegExp(String.raw`(\bwaypost(?:-sdk|-simulators)?[:-])(${number})`, 'g')]
const example = [new RegExp(`(version: ')(${number})`, 'g')]

export const versionPlaces: Readonly<Record<string, readonly RegExp[]>> = {
  'package.json': manifest,
  'package-lock.json': manifest,
  'packages/booking-page/package.json': manifest,
  'packages/contract/package.json': manifest,
  'packages/dashboard/package.json': manifest,
  'packages/docs/package.json': manifest,
  'packages/formats/package.json': manifest,
  'packages/platform/package.json': manifest,
  'packages/providers/package.json': manifest,
  'packages/scheduling/package.json': manifest,
  'packages/sdk/package.json': manifest,
  'packages/server/package.json': manifest,
  'packages/simulators/package.json': manifest,
  'packages/store/package.json': manifest,
  'packages/testing/package.json': manifest,
  'packages/texts/package.json': manifest,
  'tools/package.json': manifest,
  'tools/package-lock.json': manifest,
  Dockerfile: label,
  'packages/simulators/Dockerfile': label,
  'compose.yaml': artifact,
  'deploy/kubernetes/kustomization.yaml': [new RegExp(`(newTag: )(${number})`, 'g')],
  'docs/running.md': artifact,
  'packages/sdk/README.md': artifact,
  'packages/contract/src/examples/dashboard.ts': example,
  'packages/contract/src/examples/service.ts': example,
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** The version of the project. */
export const projectVersion = (): string => JSON.parse(read('package.json')).version

/** The versions that a place names, each once. */
export function versionsIn(file: string): string[] {
  const text = read(file)
  const patterns = versionPlaces[file] ?? []
  return [
    ...new Set(patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, , version = '']) => version))),
  ]
}

/** Writes a version into every place. Returns the files that changed. */
export function writeVersion(version: string): string[] {
  return Object.entries(versionPlaces).flatMap(([file, patterns]) => {
    const text = read(file)
    const changed = patterns.reduce((now, pattern) => now.replaceAll(pattern, (_, before) => before + version), text)
    if (changed === text) return []
    writeFileSync(path.join(root, file), changed)
    return [file]
  })
}
