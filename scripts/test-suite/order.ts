/**
 * The order of the test files: the longest start first, so that all workers end at the same time. Vitest has the
 * times of the last run on the same machine; a fresh clone uses this list. `npm run test:times` prints what belongs
 * here.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'faults/faults.check.ts',
  'conformance/imap-cyrus.check.ts',
  'faults/faults.test.ts',
  'deploy/package.check.ts',
  'journeys/imap/imap-changes.test.ts',
  'sdk/test/packed.check.ts',
  'journeys/notifications/deliveries.test.ts',
  'dashboard/test/sweep.test.ts',
  'conformance/imap-old.check.ts',
  'faults/availability.check.ts',
  'journeys/administration/tenant-wall.test.ts',
  'docs/test/docs.test.ts',
  'api/pipeline/bad-input.test.ts',
  'conformance/imap.test.ts',
  'dashboard/test/lists.test.ts',
  'store/tables/nodes.test.ts',
  'journeys/sign-in/hosted-languages-browser.test.ts',
  'dashboard/test/message-frame.test.ts',
  'journeys/microsoft/microsoft-malformed.test.ts',
  'conformance/icloud.test.ts',
  'conformance/yahoo.test.ts',
  'dashboard/test/people.test.ts',
  'journeys/dav/dav-round-trip.test.ts',
  'journeys/administration/admin-lists.test.ts',
  'conformance/ews.test.ts',
  'journeys/sign-in/hosted-browser.test.ts',
  'journeys/imap/imap-contacts.test.ts',
  'migration/command.test.ts',
  'dashboard/test/accounts.test.ts',
  'journeys/imap/imap-watching.test.ts',
  'grants/rotation.test.ts',
  'dashboard/test/calendar.test.ts',
  'journeys/google/google-calendar-changes.test.ts',
  'dashboard/test/calendar-changes.test.ts',
  'journeys/administration/canary-sweep.test.ts',
  'server/test/disaster-test.check.ts',
  'journeys/mail/difficult-mail.test.ts',
  'server/test/boot.test.ts',
  'dashboard/test/mailbox.test.ts',
  'journeys/calendars/caldav-invitations.test.ts',
  'journeys/imap/imap-grants.test.ts',
  'dashboard/test/administration.test.ts',
  'journeys/dav/dav-cards.test.ts',
  'changes/push.test.ts',
  'journeys/mail/sending.test.ts',
  'api/pipeline/idempotency.test.ts',
  'conformance/microsoft.test.ts',
  'journeys/mail/tracking.test.ts',
  'api/openapi/openapi-lint.check.ts',
  'api/pipeline/rights.test.ts',
  'journeys/dav/dav-changes.test.ts',
  'journeys/sign-in/grants.test.ts',
  'conformance/google.test.ts',
  'store/engine/work-signals.test.ts',
  'server/test/secrets-at-rest.test.ts',
  'journeys/google/google-changes.test.ts',
  'journeys/notifications/delivery-log.test.ts',
  'journeys/icloud-yahoo/icloud-grants.test.ts',
  'journeys/mail/large-uploads.test.ts',
  'store/migrations/first-sealing.test.ts',
  'dashboard/test/deliveries.test.ts',
  'journeys/imap/imap-identity.test.ts',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
  return place === -1 ? longest.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
