/** Runs a command line of `waypost`. */

import { type Arguments, type Command, type StoreRun, UsageError } from './program/command.ts'
import { helpFor } from './program/help.ts'
import { complaintOf, createOutput, type Output, ownTerminal, type Terminal } from './program/output.ts'
import { type ParsedCall, parse } from './program/parse.ts'
import { program } from './table/index.ts'

/** Opens the store for a command. */
async function runOnStore(run: StoreRun, args: Arguments, { env }: Terminal, output: Output): Promise<void> {
  const { openForCommand } = await import('./open-store.ts')
  await using services = await openForCommand(env)
  await run(services, args, output)
}

async function runCommand(command: Command, args: Arguments, terminal: Terminal, output: Output): Promise<number> {
  if ('plain' in command) return (await command.plain())({ terminal, args, output, program })
  await runOnStore(await command.onStore(), args, terminal, output)
  return 0
}

/** Number of rows shown when a noun is used alone. */
const shownRows = '10'

/** A noun without a verb: its help, and the start of its list if there is a store. */
async function runNoun(noun: string, terminal: Terminal, output: Output, args: Arguments): Promise<number> {
  const { list: verb, verbs } = program[noun] ?? {}
  const list = verb === undefined ? undefined : verbs?.[verb]
  if (output.json && list) return runCommand(list, args, terminal, output)
  output.write(helpFor(program, { noun }))
  if (!list) return 0
  const [{ readConfig }, { hasStore }] = await Promise.all([import('../config.ts'), import('./store-place.ts')])
  const { config, secrets } = readConfig(terminal.env)
  if (!hasStore(config, secrets)) return 0
  output.write('')
  return runCommand(list, { ...args, options: { ...args.options, limit: shownRows } }, terminal, output)
}

async function main(argv: string[], terminal: Terminal): Promise<number> {
  const requested: ParsedCall = parse(argv, program)
  const output = createOutput(requested.json, terminal)
  if (requested.version) {
    const { versionFacts } = await import('./version.ts')
    const facts = versionFacts()
    output.write(output.json ? JSON.stringify(facts) : facts.version)
  } else if (requested.help || requested.noun === undefined) output.write(helpFor(program, requested))
  else if (requested.command) return runCommand(requested.command, requested.args, terminal, output)
  else return runNoun(requested.noun, terminal, output, requested.args)
  return 0
}

/** Prints an error for people: the reason and the remedy, without a stack. */
async function complain(error: unknown, json: boolean, { env, err }: Terminal): Promise<number> {
  const message = complaintOf(error)
  if (json) err(`${JSON.stringify({ error: message })}\n`)
  else if (error instanceof UsageError) {
    const about = ['waypost', error.about, '--help'].filter(Boolean).join(' ')
    err(`waypost: ${message}\n\nRun "${about}" for ${error.about === '' ? 'the commands' : 'its usage'}.\n`)
  } else err(`waypost: ${message}\n`)
  if (!(error instanceof UsageError) && env.WAYPOST_LOG_LEVEL === 'debug' && error instanceof Error) {
    err(`${error.stack}\n`)
  }
  return error instanceof UsageError ? 2 : 1
}

/** Runs a command line and returns the exit code. */
export const run = (argv: string[], terminal = ownTerminal): Promise<number> =>
  main(argv, terminal).catch((error) => complain(error, argv.includes('--json'), terminal))
