import type { BuiltServices } from '../services/services.ts'
import type { Output } from './output.ts'

export interface Arguments {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

/** A command that works on the store, beside a running server or without one. */
export interface Command {
  usage: string
  summary: string
  run(services: BuiltServices, args: Arguments, output: Output): Promise<void>
}

/** A mistake in how a command was called. */
export class UsageError extends Error {}

export function needWord(args: Arguments, index: number, name: string): string {
  const word = args.words[index]
  if (word === undefined) throw new UsageError(`${name} is missing`)
  return word
}

/** The application that `--app` names; the sandbox when the option is absent. */
export const applicationOf = ({ installation }: BuiltServices, args: Arguments): string =>
  typeof args.options.app === 'string' ? args.options.app : installation.sandboxId
