/**
 * Installs the packages of tools/package.json, which only linting, type checks and tests need. `npm ci` omits them,
 * so that running the service stays light. Afterwards, each package has the pinned version, or the program fails.
 *
 * `node scripts/tools.ts` installs them. `node scripts/tools.ts <program> [arguments]` then runs one of their
 * programs.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.join(import.meta.dirname, '..')
const tools = path.join(root, 'tools')
const installed = path.join(tools, 'node_modules')

/** Folders whose files import the tools. Each has a link to them, because Node looks for packages in parent folders. */
const importers = [...globSync('packages/*/test', { cwd: root }), 'packages/testing/src', 'bench', 'examples/agent']
/** Represents all importers. A checkout with the tools in its main node_modules passes as well. */
const sample = path.join(root, 'packages/sdk/test')

/** Installs missing packages. If none is missing, it returns within milliseconds. */
export function installTools(): void {
  if (existsSync(installed)) linkTools()
  const missing = missingTools()
  if (missing.length === 0) return
  console.log(`Installing tools for checks and tests into tools/node_modules (${missing.length} missing)`)
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], tools)
  linkTools()
  const still = missingTools()
  if (still.length > 0) throw new Error(`still missing after npm ci in tools/: ${still.join(', ')}`)
}

function missingTools(): string[] {
  const { dependencies } = readPackage(tools) as { dependencies: Record<string, string> }
  return Object.entries(dependencies)
    .filter(([name, version]) => !isInstalled(sample, name, version))
    .map(([name]) => name)
}

/** Whether the folder or one above it has this version of the package. */
function isInstalled(folder: string, name: string, version: string): boolean {
  const found = path.join(folder, 'node_modules', name)
  if (existsSync(path.join(found, 'package.json')) && readPackage(found).version === version) return true
  return folder !== root && isInstalled(path.dirname(folder), name, version)
}

const readPackage = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))

function linkTools(): void {
  for (const folder of importers) {
    const link = path.join(root, folder, 'node_modules')
    const found = lstatSync(link, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) continue
    if (found !== undefined) rmSync(link, { recursive: true })
    // A junction needs no privilege on Windows; elsewhere the type is ignored. Junctions are absolute.
    const target = process.platform === 'win32' ? installed : path.relative(path.dirname(link), installed)
    symlinkSync(target, link, 'junction')
  }
}

function run(program: string, args: string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')}: exit code ${status}`)
}

function runProgram(name: string, args: string[]): never {
  const folders = [installed, path.join(root, 'node_modules')]
  const file = folders.map((folder) => path.join(folder, '.bin', name)).find(existsSync)
  if (file === undefined) throw new Error(`tools/package.json has no program ${name}`)
  process.exit(spawnSync(file, args, { stdio: 'inherit' }).status ?? 1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installTools()
  const [program, ...args] = process.argv.slice(2)
  if (program !== undefined) runProgram(program, args)
}
