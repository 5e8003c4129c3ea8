/** The store, opened for a command. */
import { readConfig } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { createServices } from '../services/index.ts'
import type { BuiltServices } from '../services/services.ts'
import type { Output, Terminal } from './output.ts'

export async function openForCommand(env: Terminal['env'], output: Output): Promise<BuiltServices> {
  const { config, secrets } = readConfig(env)
  const services = await createServices(config, secrets, { log: createLog('silent') })
  // A command may be what starts an installation: what is shown only once is shown here then.
  const { apiKey, adminPassword } = services.installation
  if (apiKey) output.notice(`API key of the sandbox application, shown only now: ${apiKey}`)
  if (adminPassword) output.notice(`Administrator (user admin), shown only now: ${adminPassword}`)
  return services
}
