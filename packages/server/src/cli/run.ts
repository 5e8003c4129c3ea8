/** The commands of `waypost`. */
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.ts'
import { ApiError } from '../lib/api-error.ts'
import { createLog } from '../lib/log.ts'
import { createServices } from '../services/index.ts'
import { UnusableStore } from '../store/sqlite-file.ts'
import { version } from '../version.ts'
import { appsChange, appsCreate, appsList, appsMail, keysCreate, keysList, keysRevoke } from './applications.ts'
import { backup, restore } from './backup.ts'
import { type Arguments, type Command, UsageError } from './command.ts'
import { dashboardLink } from './dashboard.ts'
import { examine } from './doctor.ts'
import { grantsDelete, grantsList, grantsRevoke, grantsShow, grantsUsage } from './grants.ts'
import { importV2 } from './import-v2.ts'
import { createOutput, type Output, ownTerminal, printRows, type Terminal } from './output.ts'
import { serve } from './serve.ts'
import { dbMigrate, secretsRotate } from './store.ts'
import {
  webhooksActivate,
  webhooksAttempts,
  webhooksDeliveries,
  webhooksDeliverNow,
  webhooksList,
  webhooksPause,
  webhooksReplay,
} from './webhooks.ts'

const commands: Record<string, Record<string, Command>> = {
  apps: { create: appsCreate, list: appsList, change: appsChange, mail: appsMail },
  keys: { create: keysCreate, list: keysList, revoke: keysRevoke },
  grants: { list: grantsList, show: grantsShow, revoke: grantsRevoke, delete: grantsDelete, usage: grantsUsage },
  webhooks: {
    list: webhooksList,
    attempts: webhooksAttempts,
    deliveries: webhooksDeliveries,
    replay: webhooksReplay,
    'deliver-now': webhooksDeliverNow,
    pause: webhooksPause,
    activate: webhooksActivate,
  },
  dashboard: { link: dashboardLink },
  db: { migrate: dbMigrate },
  secrets: { rotate: secretsRotate },
}

const options = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  app: { type: 'string' },
  'dry-run': { type: 'boolean' },
  environment: { type: 'string' },
  'expires-in': { type: 'string' },
  limit: { type: 'string' },
  notification: { type: 'string' },
  outcome: { type: 'string' },
  state: { type: 'string' },
  stream: { type: 'string' },
  retention: { type: 'string' },
  start: { type: 'string' },
  end: { type: 'string' },
  failed: { type: 'boolean' },
  check: { type: 'boolean' },
  replace: { type: 'boolean' },
} as const

function help(): string {
  const all = Object.values(commands).flatMap((group) => Object.values(group))
  const lines: [string, string][] = [
    ['serve', 'Run the service'],
    ...[...all, importV2].map((command): [string, string] => [command.usage, command.summary]),
    ['backup [FILE|FOLDER]', 'Copy an SQLite store, beside the running service; the key is not in the copy'],
    ['restore FILE [--check] [--replace]', 'Put a backup in the place of the store, or only check that it could be'],
    [
      'doctor',
      "Check settings, store, clock, egress and the service's own mail server, and say how to mend what is wrong",
    ],
  ]
  const text = lines.map(([usage, summary]) => `  waypost ${usage}\n      ${summary}`).join('\n')
  return `waypost ${version}: one API over mail and calendars\n\n${text}\n\nOptions of every command: --json, --help. Without --app, commands act on the sandbox application.\nSettings are environment variables: see example.env.`
}

async function doctor({ env }: Terminal, output: Output): Promise<number> {
  const { config, secrets } = readConfig(env)
  const findings = await examine(config, secrets)
  const rows = findings.map((finding) => ({ ...finding }))
  if (output.json) printRows(output, rows, [], '')
  for (const finding of output.json ? [] : findings) {
    const mark = { ok: '✓', warning: '!', problem: '✗' }[finding.state]
    output.write(`${mark} ${finding.check}: ${finding.message}${finding.remedy ? `\n    ${finding.remedy}` : ''}`)
  }
  return findings.some((finding) => finding.state === 'problem') ? 1 : 0
}

async function runCommand(command: Command, args: Arguments, { env }: Terminal, output: Output): Promise<void> {
  const { config, secrets } = readConfig(env)
  await using services = await createServices(config, secrets, { log: createLog('silent') })
  // A command may be what starts an installation: what is shown only once is shown here then.
  const { apiKey, adminPassword } = services.installation
  if (apiKey) output.notice(`API key of the sandbox application, shown only now: ${apiKey}`)
  if (adminPassword) output.notice(`Administrator (user admin), shown only now: ${adminPassword}`)
  await command.run(services, args, output)
}

async function main(argv: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true })
  const output = createOutput(values.json === true, terminal)
  const [noun, verb, ...words] = positionals
  if (values.version) output.write(version)
  else if (values.help || noun === undefined || noun === 'help') output.write(help())
  else if (noun === 'serve') {
    const { config, secrets } = readConfig(terminal.env)
    await serve(config, secrets)
  } else if (noun === 'doctor') return doctor(terminal, output)
  else if (noun === 'backup' || noun === 'restore') {
    const run = noun === 'backup' ? backup : restore
    run(readConfig(terminal.env), { words: positionals.slice(1), options: values }, output)
  } else if (noun === 'import-v2') {
    await runCommand(importV2, { words: positionals.slice(1), options: values }, terminal, output)
  } else {
    const command = commands[noun]?.[verb ?? '']
    if (!command) throw new UsageError(`no such command: ${[noun, verb].filter(Boolean).join(' ')}`)
    await runCommand(command, { words, options: values }, terminal, output)
  }
  return 0
}

const isParseError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** What a person is told when a command fails: the reason and what to do, without a stack. */
function complain(error: unknown, json: boolean, { env, err }: Terminal): number {
  const reason = error instanceof Error ? error.message : String(error)
  const message = error instanceof UnusableStore ? `${reason}: ${error.remedy}` : reason
  const usage = error instanceof UsageError || isParseError(error)
  if (json) err(`${JSON.stringify({ error: message })}\n`)
  else err(`waypost: ${message}${usage ? '\n\nRun "waypost --help" for the commands.' : ''}\n`)
  if (!usage && !(error instanceof ConfigError) && !(error instanceof ApiError) && env.WAYPOST_LOG_LEVEL === 'debug') {
    err(`${error instanceof Error ? error.stack : ''}\n`)
  }
  return usage ? 2 : 1
}

/** Runs a command line; answers the exit code. */
export const run = (argv: string[], terminal = ownTerminal): Promise<number> =>
  main(argv, terminal).catch((error) => complain(error, argv.includes('--json'), terminal))
