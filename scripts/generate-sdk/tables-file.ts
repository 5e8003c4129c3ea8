/**
 * `routes.ts`, `service-facts.ts` and `catalogue.ts`: tables that the client needs, and lists that programs may
 * display.
 */
import { z } from 'zod'
import {
  type Contract,
  errors,
  limits,
  type NamedRoute,
  providerKinds,
  routesOf,
  triggers,
} from '../../packages/contract/src/index.ts'

/** A value as a literal; undefined values are omitted. */
export function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(item, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : literalOf(name))
  return `{\n${entries.map(([name, each]) => `${inner}${nameOf(name)}: ${literalOf(each, inner)},\n`).join('')}${indent}}`
}

const wordOf = ({ route }: NamedRoute): unknown =>
  route.returns?.type === 'literal' ? z.toJSONSchema(route.returns).const : undefined

function answerOf({ route }: NamedRoute): string {
  if (route.bytes) return 'file'
  if (!route.returns) return 'empty'
  if (route.list) return 'list'
  return route.flat ? 'flat' : 'data'
}

const routeFacts = (named: NamedRoute) => ({
  method: named.route.method,
  path: named.route.path,
  audience: named.route.audience,
  answer: answerOf(named),
  word: wordOf(named),
  sometimes: named.route.sometimes,
  paged: named.route.list === 'cursor' || named.route.list === 'offset' || undefined,
  waits: (named.route.query && 'wait' in named.route.query.shape) || undefined,
  events: named.route.events,
  part: named.route.parts?.[0],
})

/** The text of `routes.ts`. */
export function routesFile(contract: Contract): string {
  const tables: Record<string, Record<string, unknown>> = {}
  for (const named of routesOf(contract)) {
    tables[named.resource] ??= {}
    Object.assign(tables[named.resource] ?? {}, { [named.operation]: routeFacts(named) })
  }
  return `/** Every route of the API, by resource and operation. */\nexport const routes: Record<string, Record<string, RouteFacts>> = ${literalOf(tables)}\n`
}

/** The text of `service-facts.ts`. */
export function serviceFactsFile(): string {
  const temporary = Object.values(errors).filter((error) => error.temporary)
  const { deadlineMs, streamWaitSeconds } = limits
  return [
    `/** Figures that the client goes by. */\nexport const limits = ${literalOf({ deadlineMs, streamWaitSeconds })} as const\n`,
    `/** Type and status of the errors that may pass. */\nexport const temporaryErrors: readonly string[] = ${literalOf([...new Set(temporary.map(({ type, status }) => `${type} ${status}`))])}\n`,
  ].join('\n')
}

const kindFacts = Object.fromEntries(
  Object.entries(providerKinds).map(([kind, { title, connectorSettings, secretSettings, takesScope }]) => {
    const secrets: readonly string[] = secretSettings
    const settings = Object.entries(connectorSettings.shape).map(([name, schema]) => ({
      name,
      required: !schema.safeParse(undefined).success,
      secret: secrets.includes(name),
    }))
    return [kind, { title, takesScope, connectorSettings: settings }]
  }),
)

/** The text of `catalogue.ts`. */
export function catalogueFile(): string {
  const triggerFacts = Object.fromEntries(Object.entries(triggers).map(([name, { summary }]) => [name, { summary }]))
  return [
    `/** Every error that the API answers with, by its name in the contract. */\nexport const errors = ${literalOf(errors)} as const\n`,
    `/** The kinds of providers, and the settings that a connector of each takes. */\nexport const providerKinds = ${literalOf(kindFacts)} as const\n`,
    `/** Every trigger that can be subscribed to, and when it fires. */\nexport const triggers = ${literalOf(triggerFacts)} as const\n`,
  ].join('\n')
}
