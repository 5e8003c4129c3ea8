/** Jobs that fail. */

import { addFailedJob } from '@waypost/store/tables/notifications/failed-jobs'
import { addToOutbox, type JobKind } from '@waypost/store/tables/notifications/outbox'
import { sql } from '@waypost/testing/statement'
import { type Runner, runDueJobs } from '../../src/outbox/runner.ts'
import type { TestService } from '../harness.ts'

const almostUsedUp = sql('test.almostUsedUp', 'update outbox set attempts = 9 where id = $1')

export interface Job {
  id: string
  applicationId: string
  kind?: JobKind
  grantId?: string
  payload?: string
}

export const addJob = async ({ services }: TestService, job: Job): Promise<void> => {
  const now = services.storage.clock.now()
  await addToOutbox(services.storage.database, {
    kind: 'mail.send',
    grantId: '',
    payload: '{}',
    dueAt: now,
    now,
    ...job,
  })
}

/** Adds a job whose next attempt is the last one. */
export async function addLastTry(service: TestService, job: Job): Promise<void> {
  await addJob(service, job)
  await service.services.storage.database.run(almostUsedUp, [job.id])
}

/** A runner whose jobs all throw, unless a handler is given. */
export function runnerOf({ services }: TestService, parts: Partial<Runner> = {}): Runner {
  const fail = async (): Promise<void> => {
    throw new Error('the relay refused smtp://user:hunter2@relay.test:25')
  }
  const handlers = {
    'approvals.execute': fail,
    'approvals.expire': fail,
    'approvals.mail': fail,
    'bookings.remove': fail,
    'bookings.settle': fail,
    'bookings.mail': fail,
    'bookings.remind': fail,
    'workspaces.group': fail,
    'calendars.remove': fail,
    'invitations.check': fail,
    'invitations.send': fail,
    'itip.receive': fail,
    'mail.send': fail,
    'provider.revoke': fail,
    'store.leftovers': fail,
  }
  return {
    ...{
      database: services.storage.database,
      clock: services.storage.clock,
      log: services.storage.log,
      nodeId: 'node of the test',
    },
    ...{ handlers, signal: new AbortController().signal, seals: services.storage.seals },
    failures: services.telemetry.metrics.counts('waypost_jobs_failed_total'),
    operatorMail: undefined,
    ...parts,
  }
}

/** Makes a job fail permanently. */
export async function failJob(service: TestService, job: Job, parts: Partial<Runner> = {}): Promise<void> {
  await addLastTry(service, job)
  await runDueJobs(runnerOf(service, parts))
}

/** Records a failed job, next to a node that would run it first. */
export async function recordFailedJob({ services }: TestService, job: Job): Promise<void> {
  const now = services.storage.clock.now()
  const { id, applicationId: application_id, grantId: grant_id = '', kind = 'mail.send', payload = '{}' } = job
  const row = { id, application_id, grant_id, kind, payload, attempts: 10, due_at: now, created_at: now }
  const message = 'the relay refused smtp://…@relay.test:25'
  await addFailedJob(services.storage.database, row, {
    error: 'unreachable',
    message,
    now,
    seals: services.storage.seals,
  })
}
