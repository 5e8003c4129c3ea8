/**
 * Builds the simulators as a package that works without this repository: JavaScript, type declarations, a command.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withJsEndings } from '../package-sdk/build.ts'

const root = path.join(import.meta.dirname, '../..')
const simulators = path.join(root, 'packages/simulators')

/** Node 22 and 24 have no Temporal. An import at the top of each entry runs before all other modules. */
const temporal = `import { Temporal } from 'temporal-polyfill'
globalThis.Temporal ??= Temporal
`

/** Writes the package into a folder, which is emptied first. */
export function buildSimulators(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', simulators, '--outDir', folder], { stdio: 'inherit' })
  // The compiler changes the extensions of imports in JavaScript only.
  for (const name of globSync('**/*.d.ts', { cwd: folder })) edit(folder, name, withJsEndings)
  writeFileSync(path.join(folder, 'temporal.js'), temporal)
  edit(folder, 'index.js', (code) => `import './temporal.js'\n${code}`)
  edit(folder, 'main.js', (code) => code.replace('\n', "\nimport './temporal.js'\n"))
  chmodSync(path.join(folder, 'main.js'), 0o755)
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  cpSync(path.join(simulators, 'README.md'), path.join(folder, 'README.md'))
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
}

function edit(folder: string, name: string, change: (text: string) => string): void {
  const file = path.join(folder, name)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

/** The package.json for users; the one of the workspace is for the repository. */
function manifest(): Record<string, unknown> {
  const workspace = JSON.parse(readFileSync(path.join(simulators, 'package.json'), 'utf8'))
  const { name, version, description, license, dependencies } = workspace
  return {
    name,
    version,
    description,
    license,
    keywords: ['gmail', 'google-calendar', 'microsoft-graph', 'exchange', 'ews', 'oauth', 'mock', 'simulator', 'test'],
    type: 'module',
    bin: { 'waypost-simulators': 'main.js' },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    engines: { node: '>=22' },
    dependencies,
  }
}
