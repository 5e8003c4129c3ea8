/**
 * Runs before `npm run check`. Installs the npm packages of tools/ and the real servers that the tests use
 * (`packages/testing/src/peers/needs.ts`). As root on Debian it installs missing packages; otherwise it prints the
 * command.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isExecutable } from '@waypost/testing/peers/debian'
import { installCommands, missingNeeds, type Need, packagesOf } from '@waypost/testing/peers/needs'
import { installTools } from './tools.ts'

const path = process.env.PATH ?? ''

installTools()

const missing = missingNeeds()
if (missing.length > 0) {
  for (const need of missing) {
    console.log(`The tests need ${need.name}: ${need.why}. Debian package: ${packagesOf(need).join(' ')}`)
  }
  if (!canInstall())
    fail(
      `Install as root:\n${installCommands(missing)
        .map((command) => `  ${command}`)
        .join('\n')}`,
    )
  install(missing)
  const still = missingNeeds()
  if (still.length > 0) fail(`Still missing after the install: ${still.map((need) => need.name).join(', ')}`)
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && path.split(':').some((folder) => isExecutable(join(folder, 'apt-get')))
}

function install(wanted: Need[]): void {
  const packages = wanted.flatMap((need) => need.packages)
  console.log(`Installing with apt-get: ${wanted.flatMap(packagesOf).join(' ')}`)
  const deadline = performance.now() + 10 * 60_000
  using _cluster = withoutDefaultCluster()
  using _services = withoutServices()
  run('apt-get', ['update'], { deadline })
  run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { deadline })
  for (const { unpack } of wanted) if (unpack !== undefined) unpackPackage(unpack, deadline)
}

function unpackPackage({ package: name, into }: { package: string; into: string }, deadline: number): void {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'waypost-package-'))
  run('apt-get', ['download', name], { deadline, cwd: folder.path })
  const [file] = readdirSync(folder.path)
  if (file === undefined) throw new Error(`apt-get download ${name} brought nothing`)
  run('dpkg-deb', ['-x', join(folder.path, file), into], { deadline })
}

function run(program: string, args: string[], { deadline, cwd }: { deadline: number; cwd?: string }): void {
  const { status, signal, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: Math.max(1, Math.ceil(deadline - performance.now())),
    ...(cwd === undefined ? {} : { cwd }),
  })
  if (status === 0) return
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? signal ?? `exit code ${status}`}`)
}

/**
 * Debian starts a server when it is installed, unless policy-rc.d forbids it. Our file forbids it during the install.
 * An existing file belongs to the machine's owner and is left alone.
 */
function withoutServices(): Disposable {
  const file = '/usr/sbin/policy-rc.d'
  if (existsSync(file)) return { [Symbol.dispose]: () => {} }
  writeFileSync(file, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return { [Symbol.dispose]: () => rmSync(file) }
}

/**
 * Debian's PostgreSQL package creates and starts a cluster unless createcluster.conf forbids it. Ours forbids it
 * during the install; then the file of the package, which ucf stored as .ucf-dist, takes its place. An existing file
 * is left alone.
 */
function withoutDefaultCluster(): Disposable {
  const file = '/etc/postgresql-common/createcluster.conf'
  const packaged = `${file}.ucf-dist`
  if (existsSync(file)) return { [Symbol.dispose]: () => {} }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
  return {
    [Symbol.dispose]: () => {
      if (existsSync(packaged)) renameSync(packaged, file)
      else rmSync(file)
    },
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
