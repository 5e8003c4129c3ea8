/** One notification of a grant: its content and its deliveries. */

import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Code, json } from '../../components/copy.tsx'
import { CustomerDataMark } from '../../components/customer-data.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { plural } from '../../format.ts'
import { useData } from '../../queries.ts'

export function NotificationDialog({
  application,
  email,
  id,
  onClose,
}: {
  application: string
  email: string
  id: string
  onClose(): void
}) {
  const query = useData(['notification', application, id], (signal) =>
    api(application).notifications.get({ id, signal }),
  )
  return (
    <Dialog wide title={query.data?.type ?? 'Notification'} onClose={onClose}>
      <Loaded query={query} lines={4}>
        {({ deliveries, ...notification }) => (
          <div className="stack">
            {deliveries.length === 0 ? (
              <p className="quiet small">Not sent to any destination. It is in the stream.</p>
            ) : (
              <ul className="list">
                {deliveries.map(({ webhook_id, state, attempts, next_attempt_at }) => (
                  <li key={webhook_id} className="split small">
                    <Link href={`/a/${application}/webhooks/${webhook_id}`}>
                      <code className="wrap">{webhook_id}</code>
                    </Link>
                    <span className="tags">
                      <Status of={state} />
                      <span className="quiet">
                        {plural(attempts, 'attempt')}
                        {next_attempt_at !== null && (
                          <>
                            , next <Time at={next_attempt_at} />
                          </>
                        )}
                      </span>
                    </span>
                  </li>
                ))}
              </ul>
            )}
            <CustomerDataMark of={email} />
            <Code label="The notification as JSON" text={json(notification)} />
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
