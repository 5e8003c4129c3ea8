/** What nodes of an older version would get wrong is refused while one is alive. The answer is the same everywhere: 409. */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { nodesOlderThan } from '@waypost/store/tables/applications/nodes'

/** Refuses while a node older than a version runs. `what` begins the sentence: "channels can be created". */
export async function needNodesSince(
  queries: Queries,
  version: string,
  { what, now }: { what: string; now: number },
): Promise<void> {
  const older = await nodesOlderThan(queries, version, now)
  if (older.length === 0) return
  const are = older.length === 1 ? 'is' : 'are'
  throw new ApiError(
    'conflict',
    `${what} once all nodes run ${version} or newer; ${older.join(', ')} ${are} still older: replace or stop ${older.length === 1 ? 'it' : 'them'}`,
  )
}
