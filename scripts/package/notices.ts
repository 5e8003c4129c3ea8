/** The licenses of the bundled packages, which must be distributed with the bundle. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Folders of the packages that the files belong to. */
function packagesOf(modules: string[]): string[] {
  const folders = modules.flatMap((file) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
  return [...new Set(folders)].sort()
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
  if (license === undefined && texts.length === 0) throw new Error(`${name} says nothing of its licence`)
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/** One text with the licenses of all packages that the files belong to. */
export function noticesOf(modules: string[]): string {
  const folders = packagesOf(modules).filter((folder) => existsSync(path.join(folder, 'package.json')))
  return `${folders.map(noticeOf).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
