/** Approvals, and the mails to account owners about them. */

import type { Providers } from '@waypost/providers/registry'
import { type Approvals, createApprovals } from '../agents/approvals/approvals.ts'
import { createOwnerMails, type OwnerMails } from '../agents/approvals/owner-mail.ts'
import type { ApprovalTools } from '../agents/approvals/tools.ts'
import type { Config } from '../config.ts'
import type { BuildOptions } from './services.ts'
import type { Storage } from './storage.ts'

export interface ApprovalParts extends Pick<ApprovalTools, 'notify'> {
  config: Config
  overrides: BuildOptions
  providers: Providers
  mail: { address: string } | undefined
}

export function openApprovals(
  { database, clock, log, seals, metrics }: Storage,
  { config, overrides, providers, mail, notify }: ApprovalParts,
): { approvals: Approvals; ownerMails: OwnerMails } {
  const { baseUrl, mailPerDay } = config
  const ownerMails = createOwnerMails({
    ...{ database, clock, log, seals, providers, baseUrl, mailPerDay, mailAddress: mail?.address },
    delayMs: overrides.ownerMailDelayMs,
  })
  const ended = metrics.counts('waypost_approvals_total')
  const settled = (outcome: string): void => ended.add(outcome)
  const tools = { database, clock, log, seals, notify, settled, tellOwner: ownerMails.queue }
  return { approvals: createApprovals({ ...tools, ...overrides.approvalOptions }), ownerMails }
}
