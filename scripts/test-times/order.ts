/**
 * The order of the test files: the longest begin first, so that all workers end at the same time. Vitest knows how long
 * they took from the last run on the same machine; a fresh clone goes by this list. `npm run test:times` tells what belongs here.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'faults/more-faults.check.ts',
  'faults/faults.test.ts',
  'journeys/imap-changes.test.ts',
  'conformance/imap-cyrus.check.ts',
  'journeys/deliveries.test.ts',
  'dashboard/test/sweep.test.ts',
  'conformance/imap.test.ts',
  'conformance/imap-old.check.ts',
  'journeys/difficult-mail.test.ts',
  'store/nodes.test.ts',
  'dashboard/test/accounts.test.ts',
  'journeys/google-calendar-changes.test.ts',
  'journeys/imap-grants.test.ts',
  'dashboard/test/administration.test.ts',
  'api/bad-input.test.ts',
  'journeys/tenant-wall.test.ts',
  'sending/ledger.test.ts',
  'server/test/secrets-at-rest.test.ts',
  'api/idempotency.test.ts',
  'migration/command.test.ts',
  'journeys/hosted-browser.test.ts',
  'server/test/boot.test.ts',
  'lib/egress-post.test.ts',
  'changes/push.test.ts',
  'journeys/large-uploads.test.ts',
  'journeys/nylas-sending.test.ts',
  'changes/shards.test.ts',
  'store/first-sealing.test.ts',
  'changes/watcher.test.ts',
  'journeys/grants.test.ts',
  'migration/catch-up.test.ts',
  'lib/parse-pool.test.ts',
  'webhooks/command.test.ts',
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
