/**
 * Nodes older than 1.3.0 write notifications without deliveries to channels. The prefix of `webhooks.ts` keeps
 * them from delivering to channels, but what they write would never be published. So they must not start while there are
 * channels. Every version reads the rows of `schema_changes` before it works, and again after its first heartbeat. The
 * row of the change that brought channels says which version is needed: 1.0.0, or 1.3.0 while there are channels.
 */
import { type Database, type Queries, sql } from '../../engine/database.ts'
import { channelStatuses } from './webhooks.ts'

/** The first version that knows channels. */
export const channelsKnownSince = '1.3.0'
const change = 60
const without = '1.0.0'

const needed = sql<{ version: string }>('schema_changes.neededVersion')`select compatible_from as version
   from schema_changes where number = $1`
const need = sql('schema_changes.needVersion')`update schema_changes set compatible_from = $2 where number = $1`
const any = sql<{ yes: number }>('webhooks.anyChannel')`select 1 as yes from webhooks where status in ${channelStatuses}
   limit 1`

/**
 * Has nodes that do not know channels refuse to start. Call it before a look for such nodes, and in the transaction that
 * creates a channel.
 */
export const keepOlderNodesAway = (queries: Queries): Promise<number> => queries.run(need, [change, channelsKnownSince])

/** Lets such nodes start again once there are no channels. A transaction that creates one waits for this, or comes first. */
export async function noteWhetherChannels(database: Database): Promise<void> {
  const isNeeded = (await database.get(needed, [change]))?.version === channelsKnownSince
  // Most starts write nothing, so that they succeed without space on the disk.
  if (isNeeded === ((await database.get(any)) !== undefined)) return
  await database.transaction(async (tx) => {
    await tx.run(need, [change, without])
    if (await tx.get(any)) await keepOlderNodesAway(tx)
  })
}
