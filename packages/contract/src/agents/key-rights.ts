/** The rights of restricted API keys and of agents. */
import { z } from 'zod'
import { Id, line, Metadata } from '../fields.ts'
import { limitingObject } from '../limiting.ts'

/** The operations that a restricted credential can have. The order is that of pages and lists. */
export const KeyOperation = z
  .enum([
    'mail.read',
    'mail.organize',
    'mail.draft',
    'mail.send',
    'mail.delete',
    'calendar.read',
    'calendar.write',
    'contacts.read',
    'contacts.write',
    'scheduling',
    'webhooks',
    'administration',
    'mcp',
  ])
  .meta({
    id: 'KeyOperation',
    description:
      '`mail.read`: read messages, threads, folders, attachments and drafts; `mail.organize`: move, flag and file; `mail.draft`: write drafts; `mail.send`: send mail; `mail.delete`: delete messages, threads, drafts and folders; `calendar.read`, `calendar.write`: calendars, events, free/busy and rooms; `contacts.read`, `contacts.write`: contacts; `scheduling`: booking pages and bookings; `webhooks`: destinations and notifications; `administration`: connectors, grants, templates and settings; `mcp`: the MCP endpoint',
  })
export type KeyOperation = z.output<typeof KeyOperation>

/** The actions that need the approval of a person. */
export const ApprovalKind = z.enum(['send', 'delete', 'invite']).meta({
  id: 'ApprovalKind',
  description:
    '`send`: a message or an answer to an invitation leaves the account, or a text is written that the service mails later (templates, workflows, signatures, booking pages); `delete`: something is deleted permanently; `invite`: other people are invited, uninvited or notified about an event or a booking',
})
export type ApprovalKind = z.output<typeof ApprovalKind>

/** An address, or a domain without "@". */
const AllowedRecipient = line(320)
  .min(1)
  .regex(/^(?:[^\s@]+@)?[^\s@.]+(?:\.[^\s@.]+)*$/, {
    error: 'must be an address such as ann@example.com or a domain such as example.com',
  })

/** An address range. The server checks that it is one. */
const Network = line(64).min(1)

export const KeyGrants = z
  .union(
    [
      limitingObject({ ids: z.array(Id).min(1).max(100).meta({ description: 'Ids of the grants, up to 100' }) }),
      limitingObject({
        metadata: Metadata.refine((pairs) => Object.keys(pairs).length === 1, {
          error: 'must have exactly one pair',
        }).meta({
          description: 'One pair: all grants whose metadata has it, also later ones',
        }),
      }),
    ],
    { error: 'must have either `ids`, a list of ids of grants, or `metadata`, one pair, and nothing else' },
  )
  .meta({ id: 'KeyGrants', description: 'The grants that a restricted credential may use: a list, or a metadata pair' })
export type KeyGrants = z.output<typeof KeyGrants>

/** Operations that concern the whole application. Limited to some grants they would promise more than they keep. */
export const needsAllGrants: ReadonlySet<KeyOperation> = new Set<KeyOperation>(['webhooks', 'administration'])

export const KeyRights = limitingObject({
  operations: z.array(KeyOperation).min(1).meta({ description: 'What the key may do' }),
  grants: KeyGrants.nullish().meta({
    description: 'The grants that it may use; null: all. `webhooks` and `administration` need all grants',
  }),
  recipients: z.array(AllowedRecipient).min(1).max(500).nullish().meta({
    description:
      'Addresses and domains that it may send to and invite; null: all. `example.com` includes no subdomains. With them, it may write no text that the service mails later to others',
  }),
  messages_per_hour: z.int().min(1).max(100_000).nullish().meta({
    description: 'Maximum number of messages and invitations per hour, over all nodes; null: no limit of its own',
  }),
  networks: z.array(Network).min(1).max(100).nullish().meta({
    description: 'Addresses and ranges (`203.0.113.7`, `2001:db8::/32`) that it may be used from; null: all',
  }),
  approval: z.array(ApprovalKind).max(3).default(['send', 'delete', 'invite']).meta({
    description: 'Actions that need the approval of a person. Default: all three. Empty: none',
  }),
  elicitation: z.boolean().default(true).meta({
    description:
      'Whether the person in front of an MCP client may approve there. false: only in the approval queue of the service',
  }),
})
  .refine(({ operations, grants }) => !grants || !operations.some((operation) => needsAllGrants.has(operation)), {
    path: ['grants'],
    error: 'must be null with webhooks or administration, which concern all grants',
  })
  .meta({ id: 'KeyRights', description: 'The rights of a restricted API key or an agent' })
export type KeyRights = z.output<typeof KeyRights>
