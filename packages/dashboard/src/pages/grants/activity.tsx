/** Activity of a grant: its use, the watching of its account, and recent errors. */
import type { GrantActivity } from '@waypost/sdk'
import { Status } from '../../components/badge.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useGrantActivity } from './grant-tabs.tsx'

const meaning: Record<GrantActivity['watch']['state'], string> = {
  watching: 'Changes are detected as they happen.',
  resting: 'The last check failed. The service retries automatically.',
  starting: 'Watching is about to start.',
  off: 'The grant is invalid, blocked, or was connected without watching.',
  unsupported: 'This provider does not report changes.',
}

export function Activity({ application, id }: { application: string; id: string }) {
  const query = useGrantActivity(application, id)
  return (
    <Card title="Activity">
      <Loaded query={query}>
        {({ last_used_at, watch, errors }) => (
          <>
            <div className="card-body stack">
              <Facts
                rows={[
                  ['Last used', <Time key="used" at={last_used_at} />],
                  ['Watch', <Status key="watch" of={watch.state} />],
                  ['Last synced', <Time key="synced" at={watch.synced_at} />],
                  ...(watch.failures > 0
                    ? ([
                        ['Failures in a row', watch.failures],
                        ['Next attempt', <Time key="next" at={watch.next_try_at} none="–" />],
                      ] as const)
                    : []),
                  ...(watch.node_id ? ([['Node', <code key="node">{watch.node_id}</code>]] as const) : []),
                ]}
              />
              <p className="quiet small">{meaning[watch.state]}</p>
            </div>
            <div className="card-head">
              <h3>Recent errors</h3>
            </div>
            {errors.length === 0 ? (
              <Empty title="No errors" />
            ) : (
              <ul className="list">
                {errors.map((error) => (
                  <li key={`${error.at} ${error.operation} ${error.request_id ?? error.message}`}>
                    <span className="split small">
                      <code>{error.operation}</code>
                      <span className="quiet">
                        <Time at={error.at} />
                      </span>
                    </span>
                    <span className="wrap">{error.message}</span>
                    <span className="quiet small wrap">
                      {error.type}
                      {error.request_id && ` · ${error.request_id}`}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
