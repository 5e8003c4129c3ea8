/**
 * `waypost serve`: one process, or a supervisor of several; and `waypost dev`. Each of them loads only the code that it
 * needs.
 */
import { readConfig } from '../config.ts'
import { processCount } from '../supervisor/role-split.ts'
import { isSupervised } from '../supervisor/supervision.ts'
import type { PlainRun } from './program/command.ts'

export const serveCommand: PlainRun = async ({ terminal }) => {
  const { config, secrets } = readConfig(terminal.env)
  if (isSupervised(terminal.env)) {
    const { serveSupervised } = await import('./serve-supervised.ts')
    await serveSupervised(config, secrets)
    return 0
  }
  const count = processCount({ workers: config.workers, isShared: secrets.databaseUrl !== undefined })
  if (count > 1) return (await import('./supervise.ts')).supervise(config, count)
  const { serve } = await import('./serve-node.ts')
  await serve(config, secrets)
  return 0
}

/** The simulators are not part of the service, so the script that starts both is loaded on demand. */
const devScript = new URL('../../../../scripts/dev.ts', import.meta.url)

/** The process runs as long as the service that the script starts, and exits with its status. */
export const devCommand: PlainRun = async () => {
  await import(devScript.href)
  return 0
}
