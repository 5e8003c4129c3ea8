#!/usr/bin/env node
// The command of the package: `npx @waypost/simulators --google`. In the repository: `node packages/simulators/src/main.ts`.
import { readFileSync } from 'node:fs'
import { type Command, describeSimulator, help, parseCommand, simulatorsAsJson, UsageError } from './command.ts'
import { type StartedSimulator, startSimulator } from './start.ts'

/** package.json is one folder up in the repository, and in the same folder in the package. */
function version(): string {
  for (const place of ['./package.json', '../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')).version
    } catch {}
  }
  return 'unknown'
}

async function start({ kinds, ports, host }: Command): Promise<StartedSimulator[]> {
  if (host !== undefined) process.env.SIMULATED_HOST = host
  const started: StartedSimulator[] = []
  for (const kind of kinds) {
    try {
      started.push(await startSimulator(kind, ports[kind]))
    } catch (error) {
      await stop(started)
      throw new UsageError(`The simulated ${kind} cannot listen on port ${ports[kind]}: ${messageOf(error)}`)
    }
  }
  return started
}

const stop = (simulators: StartedSimulator[]) => Promise.all(simulators.map((each) => each[Symbol.asyncDispose]()))
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2), process.env)
  if (command.print === 'help') return void process.stdout.write(help)
  if (command.print === 'version') return console.log(version())
  const simulators = await start(command)
  if (command.isJson) console.log(simulatorsAsJson(simulators))
  else {
    for (const each of simulators) console.log(`${describeSimulator(each)}\n`)
    console.log('Open an address in a browser to see its accounts. Press Ctrl+C to stop.')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(simulators))
}

main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? `${error.message}\nTry --help.` : error)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
