/** Approvals, and the mails to account owners about them. */

import type { Providers } from '@waypost/providers/registry'
import { type Approvals, createApprovals } from '../agents/approvals/node-approvals.ts'
import { createOwnerMails, type OwnerMails } from '../agents/approvals/owner-mail.ts'
import type { Notify } from '../grants/notify.ts'
import type { SystemMail } from '../sending/system-mail.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Given } from './build-options.ts'
import type { Storage } from './storage.ts'

export interface Agents {
  /** Actions that wait for the approval of a person. */
  approvals: Approvals
  /** Mails to the owners of accounts about actions that wait for approval. */
  ownerMails: OwnerMails
}

interface AgentParts {
  storage: Storage
  metrics: Metrics
  providers: Providers
  identity: SystemMail | undefined
  notify: Notify
}

export function openAgents(
  { config, overrides }: Given,
  { storage: { database, clock, log, seals }, metrics, providers, identity, notify }: AgentParts,
): Agents {
  const { baseUrl, mailPerDay } = config
  const ownerMails = createOwnerMails({
    database,
    clock,
    log,
    seals,
    providers,
    baseUrl,
    mailPerDay,
    mailAddress: identity?.address,
    delayMs: overrides.ownerMailDelayMs,
  })
  const ended = metrics.counts('waypost_approvals_total')
  const settled = (outcome: string): void => ended.add(outcome)
  const tools = { database, clock, log, seals, notify, settled, tellOwner: ownerMails.queue }
  return { approvals: createApprovals({ ...tools, ...overrides.approvalOptions }), ownerMails }
}
