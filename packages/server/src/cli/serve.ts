/** `waypost serve`: one process, or a supervisor of several. Each way loads only the code that it needs. */
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
