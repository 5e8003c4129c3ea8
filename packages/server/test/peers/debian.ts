import { execFileSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export type PostgresPrograms = { initdb: string; postgres: string }

const oldestPostgres = 15

/** Every folder that may hold the PostgreSQL server: those of PATH, then Debian's per-version ones, newest first. */
export function postgresFolders(path: string, versionsFolder = '/usr/lib/postgresql'): string[] {
  const versions = foldersIn(versionsFolder).filter((name) => /^\d+$/.test(name))
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  return [
    ...path.split(delimiter).filter((folder) => folder !== ''),
    ...newestFirst.map((version) => join(versionsFolder, version, 'bin')),
  ]
}

/** The first of the folders that holds both programs of a PostgreSQL new enough for Waypost. */
export function findPostgres(folders: string[]): PostgresPrograms | undefined {
  for (const folder of folders) {
    const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
    if (!isExecutable(programs.initdb) || !isExecutable(programs.postgres)) continue
    if (postgresVersion(programs.postgres) >= oldestPostgres) return programs
  }
  return undefined
}

/** The major version a `postgres` program tells of itself ("postgres (PostgreSQL) 15.19"); 0 when it tells none. */
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

/** Whether the file is there and may be run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
