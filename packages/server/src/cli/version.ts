/** `waypost version`: what this program is, for a bug report or a script. It needs no settings and no store. */

import { version } from '@waypost/platform/versions'
import { changes } from '@waypost/store/migrations/changes'
import type { PlainRun } from './program/command.ts'
import { printObject } from './program/output.ts'

/** The version, what runs it, and the newest change of the schema that it knows. */
export const versionFacts = () => ({
  version,
  node: process.versions.node,
  platform: `${process.platform}-${process.arch}`,
  schema: Math.max(...changes.map(({ number }) => number)),
})

export const versionCommand: PlainRun = async ({ output }) => {
  printObject(output, versionFacts())
  return 0
}
