/** The rights of restricted API keys in options of commands, and in words. */
import { ApprovalKind, KeyRights } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant } from '@waypost/store/tables/grants/grants'
import { needValidRights } from '../applications/key-rights.ts'
import { locatorFor } from '../grants/locator.ts'
import { type Arguments, textOption, UsageError } from './program/command.ts'

/** The options that limit a key. Without any of them a key has all rights. */
const limiting = [
  'grant',
  'grant-metadata',
  'recipient',
  'messages-per-hour',
  'network',
  'no-approval',
  'no-elicitation',
]

/** The items of an option. One that is given and has none is refused: without it, the key would not be limited. */
function listOption(args: Arguments, name: string, about: string): string[] | undefined {
  const text = textOption(args, name)
  if (text === undefined) return undefined
  const items = text.split(',').flatMap((item) => item.trim() || [])
  if (items.length === 0) throw new UsageError(`--${name} is empty: name at least one, or leave the option out`, about)
  return items
}

/** The rights in the options of a command. Undefined if they limit nothing. */
export async function rightsIn(
  queries: Queries,
  applicationId: string,
  args: Arguments,
  about: string,
): Promise<KeyRights | undefined> {
  const operations = listOption(args, 'allow', about)
  if (!operations) {
    const given = limiting.find((name) => args.options[name] !== undefined && args.options[name] !== false)
    if (given) throw new UsageError(`--${given} limits a key: name its operations with --allow`, about)
    return undefined
  }
  const max = textOption(args, 'messages-per-hour')
  const unapproved = listOption(args, 'no-approval', about) ?? []
  const unknown = unapproved.find((kind) => !ApprovalKind.safeParse(kind).success)
  if (unknown) throw new UsageError(`--no-approval: ${unknown} is none of ${ApprovalKind.options.join(', ')}`, about)
  const parsed = KeyRights.safeParse({
    operations,
    grants: await grantsIn(queries, applicationId, args, about),
    recipients: listOption(args, 'recipient', about),
    messages_per_hour: max === undefined ? undefined : Number(max),
    networks: listOption(args, 'network', about),
    approval: ApprovalKind.options.filter((kind) => !unapproved.includes(kind)),
    elicitation: args.options['no-elicitation'] !== true,
  })
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new UsageError(problems.join('; '), about)
  }
  await needValidRights(queries, applicationId, parsed.data)
  return parsed.data
}

/** The grants of `--grant` (ids or addresses) or of `--grant-metadata`. */
async function grantsIn(
  queries: Queries,
  applicationId: string,
  args: Arguments,
  about: string,
): Promise<KeyRights['grants'] | undefined> {
  const names = listOption(args, 'grant', about)
  const pair = textOption(args, 'grant-metadata')
  if (names && pair !== undefined) throw new UsageError('use --grant or --grant-metadata, not both', about)
  if (pair !== undefined) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (key === undefined || value === undefined) throw new UsageError('--grant-metadata must be KEY=VALUE', about)
    return { metadata: { [key]: value } }
  }
  if (!names) return undefined
  const ids: string[] = []
  for (const name of names) {
    const record = await findGrant(queries, applicationId, locatorFor(name))
    if (!record) throw new ApiError('grant_not_found', `--grant: the application has no grant ${name}`)
    ids.push(record.grant.id)
  }
  return { ids }
}

/** The rights of a key in one line. */
export function sayRights(rights: KeyRights | null): string {
  if (!rights) return 'all'
  const { grants, recipients, messages_per_hour: max, networks, approval } = rights
  const parts = [rights.operations.join(' ')]
  if (grants && 'ids' in grants) parts.push(`${grants.ids.length} grant${grants.ids.length === 1 ? '' : 's'}`)
  else if (grants) parts.push(`grants with ${Object.entries(grants.metadata).map((pair) => pair.join('='))}`)
  if (recipients) parts.push(`to ${recipients.slice(0, 3).join(' ')}${recipients.length > 3 ? ' …' : ''}`)
  if (max) parts.push(`${max} messages per hour`)
  if (networks) parts.push(`from ${networks.slice(0, 3).join(' ')}${networks.length > 3 ? ' …' : ''}`)
  parts.push(approval.length > 0 ? `approval: ${approval.join(' ')}` : 'no approval')
  return parts.join('; ')
}
