/** `waypost dev`. The simulators are no part of the service: the script that starts both is loaded when it is asked for. */
import type { PlainRun } from './program/command.ts'

const script = new URL('../../../../scripts/dev.ts', import.meta.url)

/** The process lives as long as the service that the script starts, and ends with its status. */
export const devCommand: PlainRun = async () => {
  await import(script.href)
  return 0
}
