/**
 * Builds the SDK as a package that works without this repository: JavaScript, type declarations, and the files npm
 * displays.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { publishedReadme } from './readme.ts'

const root = path.join(import.meta.dirname, '../..')
const sdk = path.join(root, 'packages/sdk')

/** Writes the package into a folder, which is emptied first. */
export function buildSdk(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', sdk, '--outDir', folder], { stdio: 'inherit' })
  // The compiler changes the extensions of imports in JavaScript only.
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const file = path.join(folder, name)
    writeFileSync(file, withJsEndings(readFileSync(file, 'utf8')))
  }
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  writeFileSync(path.join(folder, 'README.md'), publishedReadme(readFileSync(path.join(sdk, 'README.md'), 'utf8')))
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
}

/** Replaces extensions in `from './client.ts'` and `import('./client.ts')` with those of the compiled files. */
export const withJsEndings = (text: string): string =>
  text.replaceAll(/((?:from |import\()'\.{1,2}\/[^']+)\.ts'/g, (_, start: string) => `${start}.js'`)

/** The package.json for users; the one of the workspace is for the repository. */
function manifest(): Record<string, unknown> {
  const { name, version, description, license } = JSON.parse(readFileSync(path.join(sdk, 'package.json'), 'utf8'))
  return {
    name,
    version,
    description,
    license,
    keywords: ['mail', 'email', 'calendar', 'contacts', 'imap', 'caldav', 'webhooks'],
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    engines: { node: '>=20' },
  }
}

/** Packs a built folder into `into` and returns the file. */
export function packFolder(folder: string, into: string): string {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', into, folder], {
    cwd: into,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const answer: unknown = JSON.parse(output)
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer as Record<string, unknown>)
  return path.join(into, String((packed as { filename: unknown }).filename))
}
