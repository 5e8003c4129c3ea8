/**
 * Runs before the tests and sees to it that the real servers they talk to are installed. As root on Debian it installs
 * what is missing; anyone else is told the command. A new peer is one more entry in `needs`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findPostgres, isExecutable, postgresFolders } from '../packages/server/test/peers/debian.ts'

type Need = { name: string; why: string; present(): boolean; packages: string[] }

const path = process.env.PATH ?? ''

const needs: Need[] = [
  {
    name: 'PostgreSQL 15 or newer',
    why: 'the store is tested on a real server',
    present: () => findPostgres(postgresFolders(path)) !== undefined,
    packages: ['postgresql'],
  },
]

const missing = missingNeeds()
if (missing.length > 0) {
  const packages = missing.flatMap((need) => need.packages)
  for (const need of missing) {
    console.log(`The tests need ${need.name}: ${need.why}. Debian package: ${need.packages.join(' ')}`)
  }
  if (!canInstall()) {
    fail(`Install as root: apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`)
  }
  installPackages(packages)
  const still = missingNeeds()
  if (still.length > 0) fail(`Still missing after the install: ${still.map((need) => need.name).join(', ')}`)
}

function missingNeeds(): Need[] {
  return needs.filter((need) => !need.present())
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && path.split(':').some((folder) => isExecutable(join(folder, 'apt-get')))
}

function installPackages(packages: string[]): void {
  console.log(`Installing with apt-get: ${packages.join(' ')}`)
  const deadline = performance.now() + 10 * 60_000
  using _ = withoutDefaultCluster()
  runApt(['update'], deadline)
  runApt(['install', '-y', '--no-install-recommends', ...packages], deadline)
}

function runApt(args: string[], deadline: number): void {
  const { status, signal, error } = spawnSync('apt-get', args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: Math.max(1, Math.ceil(deadline - performance.now())),
  })
  if (status === 0) return
  throw new Error(`apt-get ${args.join(' ')}: ${error?.message ?? signal ?? `exit code ${status}`}`)
}

/**
 * Debian's PostgreSQL package makes and starts a cluster of its own unless createcluster.conf says not to. Ours says so
 * for the length of the install, then gives way to the package's own, which ucf has put beside it. A file that is
 * already there is the machine owner's wish and stays.
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
