import { execFileSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export type PostgresPrograms = { initdb: string; postgres: string }

const oldestPostgres = 15

/**
 * Every folder that may contain the PostgreSQL server: those of PATH, then Debian's folders by version, newest first.
 */
export function postgresFolders(path: string, versionsFolder = '/usr/lib/postgresql'): string[] {
  const versions = foldersIn(versionsFolder).filter((name) => /^\d+$/.test(name))
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  return [
    ...path.split(delimiter).filter((folder) => folder !== ''),
    ...newestFirst.map((version) => join(versionsFolder, version, 'bin')),
  ]
}

/** The first of the folders that contains both programs of a PostgreSQL new enough for Waypost. */
export function findPostgres(folders: string[]): PostgresPrograms | undefined {
  for (const folder of folders) {
    const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
    if (!isExecutable(programs.initdb) || !isExecutable(programs.postgres)) continue
    if (postgresVersion(programs.postgres) >= oldestPostgres) return programs
  }
  return undefined
}

/** The major version that a `postgres` program prints ("postgres (PostgreSQL) 15.19"); 0 if it prints none. */
function postgresVersion(program: string): number {
  const answer = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return Number(/\(PostgreSQL\) (\d+)/.exec(answer)?.[1] ?? 0)
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether the file exists and is executable. */
export const isExecutable = (file: string): boolean => isAllowed(file, constants.X_OK)

/** Whether the folder exists and is writable. */
export const isWritable = (folder: string): boolean => isAllowed(folder, constants.W_OK)

function isAllowed(file: string, mode: number): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}

/** The folders in which Debian installs servers, in addition to those of PATH. */
const serverFolders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** The full path of a program. */
export function findProgram(name: string, folders: readonly string[] = pathFolders()): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function pathFolders(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...serverFolders]
}

export type CyrusPrograms = Record<'master' | 'imapd' | 'httpd' | 'idled' | 'ctl_cyrusdb' | 'saslpasswd2', string>

/** The folder into which imapd is unpacked: its package conflicts with dovecot's. */
export const cyrusImapdFolder = '/opt/cyrus-imapd'

/** The programs of Cyrus, from its package cyrus-imapd, unpacked or installed. */
export function findCyrus(): CyrusPrograms | undefined {
  const folder = '/usr/lib/cyrus/bin'
  const inCyrus = (name: string) => findProgram(name, [folder, join(cyrusImapdFolder, folder)])
  const master = inCyrus('master')
  const imapd = inCyrus('imapd')
  const httpd = inCyrus('httpd')
  const idled = inCyrus('idled')
  const ctl_cyrusdb = inCyrus('ctl_cyrusdb')
  const saslpasswd2 = findProgram('saslpasswd2')
  if (!master || !imapd || !httpd || !idled || !ctl_cyrusdb || !saslpasswd2) return undefined
  return { master, imapd, httpd, idled, ctl_cyrusdb, saslpasswd2 }
}

/** The browser for the tests of pages. */
export const findBrowser = (): string | undefined => findProgram('chromium-headless-shell') ?? findProgram('chromium')
