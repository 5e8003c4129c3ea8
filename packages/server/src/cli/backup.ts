/** `waypost backup` and `waypost restore`: copies of an SQLite store. The key is never copied. */
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { systemClock } from '@waypost/platform/clock'
import { version } from '@waypost/platform/versions'
import { makeFolder, prepareFolder } from '@waypost/store/engine/data-folder'
import { lockForServing } from '@waypost/store/engine/server-lock'
import { UnusableStore } from '@waypost/store/engine/sqlite-file'
import { changes } from '@waypost/store/migrations/changes'
import { beforeBaseline, isBeforeBaseline, schemaProblem } from '@waypost/store/migrations/compatibility'
import { copyStore, examineCopy, noteBackup, replaceStore, type StoreCopy } from '@waypost/store/sqlite-backup'
import { keyFileOf } from '../applications/secret-key.ts'
import { type Config, type ConfigSecrets, readConfig } from '../config.ts'
import { type Arguments, needWord, type PlainRun, UsageError } from './program/command.ts'
import { type Output, printObject } from './program/output.ts'
import { tryKey } from './store-place.ts'

interface Settings {
  config: Config
  secrets: ConfigSecrets
}

export const backupCommand: PlainRun = async ({ terminal, args, output }) => {
  backup(readConfig(terminal.env), args, output)
  return 0
}

export const restoreCommand: PlainRun = async ({ terminal, args, output }) => {
  restore(readConfig(terminal.env), args, output)
  return 0
}

const fileOf = ({ dataDir }: Config): string => path.join(dataDir, 'waypost.db')

/** `2026-11-16T201500Z`: sorts by time and is a valid name on every file system. */
const stampOf = (now: number): string => new Date(now).toISOString().replaceAll(':', '').replace(/\.\d+/, '')

function needSqlite({ databaseUrl }: ConfigSecrets, instead: string): void {
  if (databaseUrl === undefined) return
  throw new UsageError(`the store is PostgreSQL: ${instead} (docs/operations.md)`)
}

/**
 * Copies the store to a file, or to a folder with the time as the file name; works with or without a running server.
 */
function backup({ config, secrets }: Settings, args: Arguments, output: Output): void {
  needSqlite(secrets, 'back it up with pg_dump --format=custom, or with WAL archiving')
  const store = fileOf(config)
  if (!existsSync(store)) throw new UnusableStore(`there is no store in ${config.dataDir}`, 'check WAYPOST_DATA_DIR')
  const named = args.words[0] ?? '.'
  const isFolder = statSync(named, { throwIfNoEntry: false })?.isDirectory() === true || named.endsWith('/')
  if (isFolder) makeFolder(named)
  const file = isFolder ? path.join(named, `waypost-${stampOf(systemClock.now())}.db`) : named
  output.progress(`Copying ${store}. The service can keep running.`)
  copyStore(store, file)
  const copy = examineCopy(file)
  if (!noteBackup(store, systemClock.now()))
    output.progress('The store was busy, so the metrics do not include this backup.')
  printCopy(output, file, copy)
  const where = secrets.secretKey === undefined ? keyFileOf(config) : 'WAYPOST_SECRET_KEY'
  output.progress(
    `The backup does not contain the key. Keep a copy of ${where} in another place. Without it, the backup cannot be read.`,
  )
}

/** Replaces the store by a backup, or with `--check` only checks whether that would work. */
function restore({ config, secrets }: Settings, args: Arguments, output: Output): void {
  needSqlite(secrets, 'restore it with pg_restore into an empty database')
  const file = needWord(args, 0, 'FILE')
  output.progress(`Reading all of ${file}.`)
  const copy = examineCopy(file)
  checkVersion(file, copy)
  checkKey(config, secrets, copy)
  if (args.options.check === true) {
    printCopy(output, file, copy)
    output.progress('The backup is complete, and the key opens it.')
    return
  }
  const store = fileOf(config)
  prepareFolder(config.dataDir)
  using _alone = lockForServing(store)
  if (existsSync(store) && args.options.replace !== true) {
    throw new UsageError(`there is already a store at ${store}: --replace moves it aside and keeps it`)
  }
  const former = replaceStore(file, store)
  printObject(output, { restored: store, ...shown(copy), former_store: former ?? null })
  output.progress('Start the service. Grants whose tokens were renewed after the backup may have to sign in again.')
}

const shown = ({ bytes, schema, applications, grants }: StoreCopy) => ({
  bytes,
  migrations: new Set([...schema.migrations, ...schema.steps.map(({ number }) => number)]).size,
  applications,
  grants,
})

const printCopy = (output: Output, file: string, copy: StoreCopy): void => printObject(output, { file, ...shown(copy) })

function checkVersion(file: string, { schema }: StoreCopy): void {
  if (isBeforeBaseline(schema)) throw new UnusableStore(`${file}: ${beforeBaseline.problem}`, beforeBaseline.remedy)
  if (schemaProblem(schema, { version, changes }) === undefined) return
  throw new UnusableStore(
    `${file} was written by a newer version of Waypost`,
    'install that version before you restore it',
  )
}

/** The next start would refuse a store that the key cannot open, so this is checked before anything is moved. */
function checkKey(config: Config, { secretKey }: ConfigSecrets, { keyCheck }: StoreCopy): void {
  if (keyCheck === undefined) return
  const place = secretKey === undefined ? keyFileOf(config) : 'WAYPOST_SECRET_KEY'
  try {
    tryKey(config, secretKey, keyCheck)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnusableStore(
      `the key in ${place} does not open the backup (${reason})`,
      'put the key there with which the backup was made',
      error,
    )
  }
}
