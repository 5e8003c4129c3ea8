/**
 * The job that groups grants by the domain of their address. Each run does one step in one transaction, which replaces the
 * job by the next step under the same id: a crash repeats nothing and loses nothing, and other jobs run in between.
 */
import { type AutoGrouping, type AutoGroupingJob, limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import { domainOf } from '@waypost/providers/shared/domain-hosts'
import type { Database, Queries } from '@waypost/store/engine/database'
import { type ApplicationRow, getApplication, lockApplication } from '@waypost/store/tables/applications/applications'
import {
  countWorkspaces,
  findWorkspaceByDomain,
  insertWorkspace,
  type Member,
  moveMember,
  readMembers,
  type WorkspaceRow,
} from '@waypost/store/tables/grants/workspaces'
import { addToOutbox, countJobs, takeOutbox } from '@waypost/store/tables/notifications/outbox'
import { z } from 'zod'
import { membersPerStep, parseDomain } from './workspaces.ts'

export const groupingJob = 'workspaces.group'

const maxWaiting = 10
const retrySeconds = 60

const Step = z.object({
  id: z.string(),
  application: z.string(),
  /** Only grants created at or after this time, in milliseconds. */
  since: z.number().nullable(),
  withInvalid: z.boolean(),
  domain: z.string().nullable(),
  /** The last grant of the previous step. */
  after: z.object({ time: z.number(), id: z.string() }).nullable(),
  moved: z.number(),
  created: z.number(),
})
type Step = z.output<typeof Step>

const queueStep = async (tx: Queries, step: Step, now: number): Promise<void> => {
  const at = { id: step.id, applicationId: step.application, grantId: '', kind: groupingJob }
  await addToOutbox(tx, { ...at, payload: JSON.stringify(step), dueAt: now, now })
}

/** Queues the job. */
export async function startGrouping(
  tx: Queries,
  applicationId: string,
  filters: AutoGrouping,
  now: number,
): Promise<AutoGroupingJob> {
  const { after_created_at: since, invalid_also: withInvalid, specific_domain: domain } = filters
  await lockApplication(tx, applicationId)
  if ((await countJobs(tx, { applicationId, grantId: '', kind: groupingJob })) >= maxWaiting) {
    throw new ApiError('rate_limited', `${maxWaiting} such jobs of the application are waiting: wait until they end`, {
      retryAfter: retrySeconds,
    })
  }
  const step: Step = {
    id: newId(),
    application: applicationId,
    since: since == null ? null : since * 1000,
    withInvalid: withInvalid ?? false,
    domain: domain ? parseDomain('specific_domain', domain) : null,
    after: null,
    moved: 0,
    created: 0,
  }
  await queueStep(tx, step, now)
  return {
    job_id: step.id,
    message: 'The grants are grouped in the background. Each one moves as soon as it is found.',
  }
}

/** Runs one step of the job. */
export async function groupSome(
  database: Database,
  payload: string,
  { log, now }: { log: Log; now: number },
): Promise<void> {
  const step = Step.parse(JSON.parse(payload))
  await database.transaction(async (tx) => {
    await lockApplication(tx, step.application)
    // Another node may have done this step, because its lease had ended.
    if (!(await takeOutbox(tx, { applicationId: step.application, id: step.id }))) return
    const application = await getApplication(tx, step.application)
    if (!application) return
    const at = { applicationId: application.id, workspaceId: application.default_workspace_id }
    // Grants are in the order of creation, so the first step begins where the filter does.
    const after = step.after ?? (step.since === null ? undefined : { time: step.since - 1, id: '~' })
    const members = await readMembers(tx, at, { after, limit: membersPerStep })
    const done = await groupMembers(tx, { application, step, now }, members)
    const last = members.at(-1)
    if (last && members.length === membersPerStep) {
      await queueStep(tx, { ...done, after: { time: last.createdAt, id: last.grant.id } }, now)
      return
    }
    const { id: job, application: application_id, moved, created } = done
    log.info({ job, application_id, moved, created }, 'grants were grouped into workspaces')
  })
}

interface Grouping {
  application: ApplicationRow
  step: Step
  now: number
}

async function groupMembers(tx: Queries, grouping: Grouping, members: readonly Member[]): Promise<Step> {
  const { application, step } = grouping
  const known = new Map<string, WorkspaceRow | undefined>()
  let { moved, created } = step
  for (const { grant, emailKey, status } of members) {
    const domain = domainOf(emailKey)
    if (status !== 'valid' && !(step.withInvalid && status === 'invalid')) continue
    if (domain === undefined || (step.domain !== null && domain !== step.domain)) continue
    if (!known.has(domain)) {
      const existing = await findWorkspaceByDomain(tx, application.id, domain)
      const made = existing ? undefined : await makeWorkspace(tx, grouping, domain)
      if (made) created++
      known.set(domain, existing ?? made)
    }
    const workspace = known.get(domain)
    if (workspace?.auto_group !== 1) continue
    await moveMember(tx, application.id, grant, workspace.id)
    moved++
  }
  return { ...step, moved, created }
}

/** A workspace for a domain that has none. Undefined if the application has as many as it can have. */
async function makeWorkspace(
  tx: Queries,
  { application, now }: Grouping,
  domain: string,
): Promise<WorkspaceRow | undefined> {
  if ((await countWorkspaces(tx, application.id)) >= limits.workspaces) return undefined
  const row: WorkspaceRow = {
    id: newId(),
    application_id: application.id,
    name: domain,
    domain,
    auto_group: 1,
    created_at: now,
    updated_at: now,
  }
  return (await insertWorkspace(tx, row)) ? row : undefined
}
