/** Opens the store for a command. A command never creates an installation. */

import { createLog } from '@waypost/platform/log'
import { readConfig } from '../config.ts'
import type { BuildOptions } from '../services/build-options.ts'
import { createServices } from '../services/index.ts'
import type { BuiltServices } from '../services/services.ts'
import type { Terminal } from './program/output.ts'
import { needStore } from './store-place.ts'

export async function openForCommand(
  env: Terminal['env'],
  options: Pick<BuildOptions, 'schema'> = {},
): Promise<BuiltServices> {
  const { config, secrets } = readConfig(env)
  needStore(config, secrets)
  return createServices(config, secrets, { ...options, log: createLog('silent'), existingOnly: true })
}
