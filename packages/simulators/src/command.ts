/** The command line of the package: its flags and its output. */
import { parseArgs } from 'node:util'
import { defaultPorts, portVariables, type SimulatorKind, type StartedSimulator, simulatorKinds } from './start.ts'

export const help = `Usage: npx @waypost/simulators [options]

Starts simulated providers with sample accounts. Data is in memory and ends with the process.

  --google       Gmail, Google Calendar, People and sign-in (port ${defaultPorts.google})
  --microsoft    Microsoft Graph and sign-in (port ${defaultPorts.microsoft})
  --yahoo        sign-in only, without mail (port ${defaultPorts.yahoo})
  --exchange     Exchange Web Services and Autodiscover (port ${defaultPorts.exchange})
  --zoom         sign-in and meetings (port ${defaultPorts.zoom})
                 Without any of these, all five start.
  --port <n>     port of the first simulator; the others get the next ones; 0: any free ports
  --host <ip>    address to listen on (127.0.0.1)
  --json         print addresses and accounts as one line of JSON
  --version      print the version
  --help         print this text
`

export interface Command {
  kinds: SimulatorKind[]
  ports: Record<SimulatorKind, number>
  host?: string
  isJson: boolean
  print?: 'help' | 'version'
}

/** An error of the caller: the message says what to change. */
export class UsageError extends Error {}

const options = {
  google: { type: 'boolean' },
  microsoft: { type: 'boolean' },
  yahoo: { type: 'boolean' },
  exchange: { type: 'boolean' },
  zoom: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  json: { type: 'boolean' },
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const

function flagsOf(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error))
  }
}

export function parseCommand(args: string[], env: Record<string, string | undefined> = {}): Command {
  const { values, positionals } = flagsOf(args)
  const unknown = positionals.filter((name) => !isKind(name))
  if (unknown.length > 0) throw new UsageError(`Unknown simulator: ${unknown.join(', ')}`)
  const named = simulatorKinds.filter((kind) => values[kind] || positionals.includes(kind))
  const kinds = named.length > 0 ? named : [...simulatorKinds]
  return {
    kinds,
    ports: portsOf(kinds, values.port, env),
    host: values.host,
    isJson: values.json === true,
    print: values.help ? 'help' : values.version ? 'version' : undefined,
  }
}

const isKind = (name: string): name is SimulatorKind => (simulatorKinds as readonly string[]).includes(name)

function portsOf(kinds: SimulatorKind[], first: string | undefined, env: Record<string, string | undefined>) {
  const ports = { ...defaultPorts }
  for (const kind of simulatorKinds) {
    const variable = env[portVariables[kind]]
    if (variable) ports[kind] = portOf(variable, portVariables[kind])
  }
  if (first === undefined) return ports
  const start = portOf(first, '--port')
  for (const [at, kind] of kinds.entries()) ports[kind] = start === 0 ? 0 : portOf(String(start + at), '--port')
  return ports
}

function portOf(text: string, name: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`${name}: ${text} is not a port (0 to 65535)`)
  return port
}

const titles: Record<SimulatorKind, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo (sign-in only)',
  exchange: 'Exchange',
  zoom: 'Zoom',
}

/** The description of a simulator for people. */
export function describeSimulator({ kind, url, client, accounts }: StartedSimulator): string {
  const lines = accounts.map(({ email, password, refreshToken }) =>
    password === undefined ? `  ${email}  refresh token ${refreshToken}` : `  ${email}  password ${password}`,
  )
  const clientLine = client ? [`  client id ${client.id}, client secret ${client.secret}`] : []
  return [`Simulated ${titles[kind]} at ${url}`, ...clientLine, ...lines].join('\n')
}

/** The same for programs: one line of JSON. */
export const simulatorsAsJson = (simulators: StartedSimulator[]): string =>
  JSON.stringify({
    simulators: simulators.map(({ kind, url, client, accounts }) => ({
      kind,
      url,
      ...(client && { client }),
      accounts,
    })),
  })
