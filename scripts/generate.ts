/**
 * Writes docs/generated, docs/compatibility.md, example.env, the generated part of the SDK and the placeholders of texts
 * from the contract, the settings, the list of peers and the texts. With --check it only reports which files are not
 * current.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { commonLimits, fieldName, type Limits, type NamedLimit, namedLimits } from '@waypost/providers/limits'
import type { Provider } from '@waypost/providers/provider'
import { hasOperation, namedAdapters, type Providers, providers } from '@waypost/providers/registry'
import { contract, errors, methodsOf, providerKinds, routesOf } from '../packages/contract/src/index.ts'
import { openApiDocument } from '../packages/server/src/api/openapi/document.ts'
import { errorsOf } from '../packages/server/src/api/openapi/error-responses.ts'
import { commandsPage } from '../packages/server/src/cli/program/reference.ts'
import { program } from '../packages/server/src/cli/table/index.ts'
import { type Metric, metricTable } from '../packages/server/src/telemetry/metric-table.ts'
import { createMetrics } from '../packages/server/src/telemetry/metrics.ts'
import { differences } from '../packages/server/test/same-answers/differences.ts'
import { compatibilityPage } from './compatibility-page.ts'
import { sdkFiles } from './generate-sdk/files.ts'
import { mcpToolsPage } from './mcp-tools-page.ts'
import { exampleEnv, settingsPage } from './settings-page.ts'
import { placeholdersFile } from './text-placeholders.ts'

const registry: Providers = providers
const root = path.join(import.meta.dirname, '..')
const note = '<!-- Made from the contract by `npm run generate`; do not edit. -->\n\n'

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  row(head) + row(head.map(() => '---')) + rows.map(row).join('')

function errorsPage(): string {
  const rows = Object.entries(errors)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, error]) => [String(error.status), `\`${error.type}\``, error.title, error.remedy, `\`${code}\``])
  return `# Errors\n\n${note}Every answer that is not 2xx has this shape:\n\n\`\`\`json\n{ "request_id": "…", "error": { "type": "…", "message": "…" } }\n\`\`\`\n\n${table(['Status', '`error.type`', 'Meaning', 'What to do', 'Name in the code'], rows)}`
}

function routesPage(): string {
  const rows = routesOf(contract).map((named) => [
    `\`${named.id}\``,
    methodsOf(named.route).join(', '),
    [named.route.path, ...(named.route.aliases ?? [])].map((path) => `\`${path}\``).join(', '),
    named.route.audience,
    [named.route.status ?? 200, named.route.later].filter(Boolean).join(' '),
    named.route.summary,
    [...new Set(errorsOf(named).map((code) => errors[code].status))].sort((a, b) => a - b).join(' '),
  ])
  return `# Routes\n\n${note}${table(['Name', 'Methods', 'Paths', 'For', 'Success', 'What it does', 'Other statuses'], rows)}`
}

function providersPage(): string {
  // Variants of a kind follow the kind.
  const kinds = Object.keys(providerKinds).flatMap((kind) => [kind, ...Object.keys(registry[kind]?.variants ?? {})])
  const adapters = new Map(namedAdapters(registry))
  const grantRoutes = routesOf(contract).filter(({ route }) => route.audience === 'grant' && !route.own)
  const connection = ['`connect.custom`', ...kinds.map((kind) => (adapters.has(kind) ? 'yes' : '–'))]
  const rows = grantRoutes.map((named) => {
    const isAble = (adapter: Provider | undefined): boolean =>
      adapter !== undefined && hasOperation(adapter, named.resource, named.operation)
    const able = kinds.map((kind) => isAble(adapters.get(kind)))
    return [`\`${named.id}\``, ...able.map((each) => (each ? 'yes' : '–'))]
  })
  return `# What each provider can do\n\n${note}What is not "yes" is answered with \`not_supported_by_provider\`. Signatures, templates and schedules are kept by the service and are for all; \`drafts.send\` needs \`drafts.get\` and \`messages.send\`.\n\n${table(['Operation', ...kinds], [connection, ...rows])}\n${limitsSection()}\n${differencesSection()}`
}

function differencesSection(): string {
  const rows = differences.map(({ kinds, where, fields, what, why }) => [
    ...[kinds.join(', '), where, fields.map((field) => `\`${field}\``).join(', '), what, why],
  ])
  return `## Different answers to the same request\n\nA test sends one list of requests to an account of each kind and compares the answers. Apart from the tables above, they differ in what stands here alone. Events that do not repeat are meant. \`imap + DAV\` is a mailbox with CalDAV and CardDAV.\n\n${table(['Kinds', 'Where', 'Field', 'What they answer', 'Why'], rows)}`
}

const answers = {
  not_supported_by_provider: '422 `not_supported_by_provider`',
  invalid_request: '400 `invalid_request_error`',
  ignored: 'ignored',
}

function valuesOf({ values, except }: NamedLimit): string {
  const list = (all: readonly unknown[]): string => all.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (values) return `: ${list(values)}`
  return except ? `: all but ${list(except)}` : ''
}

/** One row per field, whichever operations have it. */
function limitRows(who: string, limits: Limits): string[][] {
  const rows = new Map<string, { operations: string[]; cells: string[] }>()
  for (const limit of namedLimits(limits)) {
    const field = `\`${fieldName(limit.path)}\`${valuesOf(limit)}`
    const cells = [limit.part, field, answers[limit.answer], limit.why]
    const row = rows.get(cells.join()) ?? { operations: [], cells }
    row.operations.push(`\`${limit.operation}\``)
    rows.set(cells.join(), row)
  }
  return [...rows.values()].map(({ operations, cells }) => [who, operations.join(', '), ...cells])
}

/** The limits of a variant that its kind does not have. */
function ownLimits(limits: Limits, kind: string, name: string): Limits {
  const common = registry[kind]?.limits
  if (name === kind || !common) return limits
  return Object.fromEntries(
    Object.entries(limits).filter(([operation, fields]) => !isDeepStrictEqual(fields, Reflect.get(common, operation))),
  )
}

function limitsSection(): string {
  const rows = [
    ...namedAdapters(registry).flatMap(([name, { limits = {}, kind }]) =>
      limitRows(name, ownLimits(limits, kind, name)),
    ),
    ...limitRows('every provider', commonLimits),
  ]
  return `## Fields and filters that a provider does not take\n\nWhat is refused is refused before the provider is asked; what is ignored is named in the response header \`x-ignored-fields\`. A field that is null, and a switch that is false, are not wanted and pass, unless they stand here.\n\n${table(['Provider', 'Operations', 'Part', 'Field', 'Answer', 'Why'], rows)}`
}

/** The metrics of the service by topic, and those of every Node process. */
async function metricsPage(): Promise<string> {
  const scopes = { node: 'each node', installation: 'the installation', machine: 'the machine' }
  const own = Object.entries<Metric>(metricTable).map(([name, { type, labels, scope, help }]) => [
    ...[`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), scopes[scope], help],
  ])
  const all = await createMetrics().families()
  const common = all
    .filter(({ name }) => !Object.hasOwn(metricTable, name))
    .map(({ name, type, help }) => [`\`${name}\``, type, help])
  return `# Metrics\n\n${note}What \`/metrics\` tells. [telemetry.md](../telemetry.md) says how to read it.\n\n${table(['Metric', 'Type', 'Labels', 'Of', 'What it counts'], own)}\n## Of the process\n\n${table(['Metric', 'Type', 'What it counts'], common)}`
}

const docs: Record<string, string> = {
  'openapi.json': `${JSON.stringify(openApiDocument(contract, { providers, baseUrl: 'http://127.0.0.1:3000' }), null, 2)}\n`,
  'errors.md': errorsPage(),
  'routes.md': routesPage(),
  'providers.md': providersPage(),
  'commands.md': commandsPage(program, '<!-- Made from the table of commands by `npm run generate`; do not edit. -->'),
  'metrics.md': await metricsPage(),
  'settings.md': settingsPage(),
  'mcp-tools.md': mcpToolsPage(),
}

const inFolder = (folder: string, files: Record<string, string>): [name: string, text: string][] =>
  Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])
const files: [name: string, text: string][] = [
  ['example.env', exampleEnv()],
  ...inFolder('docs/generated', docs),
  ...inFolder('docs', { 'compatibility.md': compatibilityPage() }),
  ...inFolder('packages/sdk/src/generated', sdkFiles(contract)),
  ...inFolder('packages/texts/src', { 'hosted-placeholders.ts': placeholdersFile() }),
]

const read = (name: string): string | undefined => {
  try {
    return readFileSync(path.join(root, name), 'utf8')
  } catch {
    return undefined
  }
}
const stale = files.filter(([name, text]) => read(name) !== text)

if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`${name} is not current: run "npm run generate" and commit it`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [name, text] of stale) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  console.log(stale.length > 0 ? `written: ${stale.map(([name]) => name).join(', ')}` : 'all current')
}
