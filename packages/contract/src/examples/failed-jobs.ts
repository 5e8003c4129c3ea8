import type { failedJobs } from '../failed-jobs.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, grantId } from './shared.ts'

const id = '0194f1d2-0b57-7c1e-a6d4-52c9e8b3f710'

export const failedJobsExamples: ExamplesOf<typeof failedJobs> = {
  list: {
    query: { kind: 'mail.send' },
    answer: [
      {
        id,
        application_id: applicationId,
        grant_id: grantId,
        kind: 'mail.send',
        purpose: 'Send a mail of the service: to guests of virtual calendars, or a notice about the service',
        error: 'unreachable',
        message: 'the mail server cannot be reached',
        remedy: 'Check WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM with "waypost doctor", then retry.',
        attempts: 10,
        created_at: 1_736_334_600,
        failed_at: 1_736_421_000,
      },
    ],
  },
  retryAll: { body: { kind: 'mail.send' }, answer: { retried: 3, more: false } },
  retry: { params: { id } },
  discard: { params: { id } },
}
