/** Administrator routes: background jobs that failed permanently. */
import { z } from 'zod'
import { cursorPaging, Id, Timestamp, textParam } from './fields.ts'
import { limitingObject } from './limiting.ts'
import { route } from './route.ts'

export const FailedJob = z
  .object({
    id: Id.meta({ description: 'Id of the job' }),
    application_id: Id.meta({ description: 'Id of the application that the job belongs to' }),
    grant_id: Id.nullable().meta({ description: 'Id of the grant that the job is about; null if none' }),
    kind: z.string().meta({ description: 'Kind of the job, such as `mail.send`' }),
    purpose: z.string().meta({ description: 'What the job was meant to do' }),
    error: z.string().meta({ description: 'Name of the last error, such as `unreachable` or `provider_error`' }),
    message: z.string().meta({
      description: 'Message of the last error, without credentials, up to 500 characters',
    }),
    remedy: z.string().meta({ description: 'What usually helps' }),
    attempts: z.int().meta({ description: 'Number of attempts' }),
    created_at: Timestamp.meta({ description: 'Time when the job was created, in Unix seconds' }),
    failed_at: Timestamp.meta({ description: 'Time of the last attempt, in Unix seconds' }),
  })
  .meta({ id: 'FailedJob', description: 'A background job that used all its attempts' })
export type FailedJob = z.output<typeof FailedJob>

export const RetriedJobs = z
  .object({
    retried: z.int().meta({ description: 'Number of jobs that run again' }),
    more: z.boolean().meta({ description: 'Whether more failed jobs are left: repeat the request' }),
  })
  .meta({ id: 'RetriedJobs', description: 'Result of retrying failed jobs' })
export type RetriedJobs = z.output<typeof RetriedJobs>

const jobs = '/v3/admin/applications/:application_id/failed-jobs'

export const failedJobs = {
  list: route({
    method: 'GET',
    path: '/v3/admin/failed-jobs',
    summary: 'List failed jobs',
    description:
      'Newest first: background jobs that failed ten times within about a day, such as mails to guests or the end of access at a provider. They are retained for 30 days. People with access to selected applications see only jobs of these. With a selective filter, a page can be short or empty and still have a `next_cursor`.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      application_id: textParam().meta({ description: 'Only jobs of this application' }),
      grant_id: textParam().meta({ description: 'Only jobs about the grant with this id' }),
      kind: textParam().meta({ description: 'Only jobs of this kind, such as `mail.send`' }),
    }),
    returns: FailedJob,
    list: 'cursor',
  }),
  retryAll: route({
    method: 'POST',
    path: `${jobs}/retry`,
    summary: 'Retry failed jobs of an application',
    description:
      'Oldest first, up to 100 per request. Each job gets all its attempts again, and leaves the list of failed jobs. A mail that the server may already have accepted can arrive twice.',
    audience: 'administrator',
    body: limitingObject({
      kind: z.string().min(1).max(64).optional().meta({ description: 'Only jobs of this kind; default: all' }),
    }).meta({ id: 'FailedJobRetry', description: 'Which failed jobs to retry' }),
    returns: RetriedJobs,
    errors: ['not_found'],
  }),
  retry: route({
    method: 'POST',
    path: `${jobs}/:id/retry`,
    summary: 'Retry a failed job',
    description:
      'The job gets all its attempts again, and leaves the list of failed jobs. If it fails again, it returns to the list.',
    audience: 'administrator',
    errors: ['not_found'],
  }),
  discard: route({
    method: 'DELETE',
    path: `${jobs}/:id`,
    summary: 'Discard a failed job',
    description: 'The job is deleted and never done.',
    audience: 'administrator',
    errors: ['not_found'],
  }),
}
