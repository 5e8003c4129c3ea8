/** `waypost dev`. The simulators are not part of the service, so the script that starts both is loaded on demand. */
import type { PlainRun } from './program/command.ts'

const script = new URL('../../../../scripts/dev.ts', import.meta.url)

/** The process runs as long as the service that the script starts, and exits with its status. */
export const devCommand: PlainRun = async () => {
  await import(script.href)
  return 0
}
