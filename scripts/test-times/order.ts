/**
 * The order of the test files: the longest begin first, so that all workers end at the same time. Vitest knows how long
 * they took from the last run on the same machine; a fresh clone goes by this list. `npm run test:times` tells what belongs here.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'faults/more-faults.check.ts',
  'conformance/imap-cyrus.check.ts',
  'faults/faults.test.ts',
  'deploy/package.check.ts',
  'journeys/imap-changes.test.ts',
  'sdk/test/packed.check.ts',
  'journeys/deliveries.test.ts',
  'dashboard/test/sweep.test.ts',
  'conformance/imap-old.check.ts',
  'journeys/tenant-wall.test.ts',
  'docs/test/docs.test.ts',
  'api/bad-input.test.ts',
  'conformance/imap.test.ts',
  'dashboard/test/lists.test.ts',
  'store/nodes.test.ts',
  'journeys/hosted-languages-browser.test.ts',
  'dashboard/test/message-frame.test.ts',
  'journeys/microsoft-malformed.test.ts',
  'conformance/icloud.test.ts',
  'conformance/yahoo.test.ts',
  'dashboard/test/people.test.ts',
  'journeys/dav-round-trip.test.ts',
  'journeys/admin-lists.test.ts',
  'conformance/ews.test.ts',
  'journeys/hosted-browser.test.ts',
  'journeys/imap-contacts.test.ts',
  'migration/command.test.ts',
  'dashboard/test/accounts.test.ts',
  'journeys/imap-watching.test.ts',
  'grants/rotation.test.ts',
  'dashboard/test/calendar.test.ts',
  'journeys/google-calendar-changes.test.ts',
  'dashboard/test/calendar-changes.test.ts',
  'journeys/canary-sweep.test.ts',
  'server/test/disaster-test.check.ts',
  'journeys/difficult-mail.test.ts',
  'server/test/boot.test.ts',
  'dashboard/test/mailbox.test.ts',
  'journeys/caldav-invitations.test.ts',
  'journeys/imap-grants.test.ts',
  'dashboard/test/administration.test.ts',
  'journeys/dav-cards.test.ts',
  'changes/push.test.ts',
  'journeys/sending.test.ts',
  'api/idempotency.test.ts',
  'conformance/microsoft.test.ts',
  'journeys/tracking.test.ts',
  'api/openapi-lint.check.ts',
  'api/rights.test.ts',
  'journeys/dav-changes.test.ts',
  'journeys/grants.test.ts',
  'conformance/google.test.ts',
  'store/work-signals.test.ts',
  'server/test/secrets-at-rest.test.ts',
  'journeys/google-changes.test.ts',
  'journeys/delivery-log.test.ts',
  'journeys/icloud-grants.test.ts',
  'journeys/large-uploads.test.ts',
  'store/first-sealing.test.ts',
  'dashboard/test/deliveries.test.ts',
  'journeys/imap-identity.test.ts',
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
