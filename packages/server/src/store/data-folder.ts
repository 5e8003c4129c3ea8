/** The data folder, made where it is missing; where that cannot be, the reason in words. */
import { accessSync, constants, mkdirSync } from 'node:fs'
import { UnusableStore } from './sqlite-file.ts'

const reasons: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system can only be read',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of that name',
  ENOSPC: 'the disk is full',
  ENOENT: 'a part of its path cannot be made',
}

export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new UnusableStore(
      `the data folder ${folder} cannot be used: ${reasons[code] ?? code}`,
      'give it to the user that runs Waypost (chown), or set WAYPOST_DATA_DIR to a folder that can be written',
      error,
    )
  }
}
