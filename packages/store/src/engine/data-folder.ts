/** Creates the data folder if it is missing. If that fails, the error explains the reason. */
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { newId } from '@waypost/platform/ids'
import { UnusableStore } from './sqlite-file.ts'

const reasons: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system can only be read',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of that name',
  ENOSPC: 'the disk is full',
  ENOENT: 'nothing can be made there',
}

export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    tryToWrite(folder)
  } catch (error) {
    throw new UnusableStore(
      `the data folder ${folder} cannot be used: ${reasons[codeOf(error)] ?? codeOf(error)}`,
      'give it to the user that runs Waypost (chown), or set WAYPOST_DATA_DIR to a folder that can be written',
      error,
    )
  }
}

/**
 * Creates a folder and its parents, readable by this user only. Node's own recursive `mkdir` loops forever where a
 * folder exists but nothing can be created in it, as in /proc.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.unshift(at)
  for (const each of missing) make(each)
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error(`${folder} is a file`), { code: 'EEXIST' })
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it in the meantime.
    if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}

/** Permission bits are not enough: for root, every folder appears writable. */
function tryToWrite(folder: string): void {
  const file = path.join(folder, `.${newId()}`)
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  rmSync(file)
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
