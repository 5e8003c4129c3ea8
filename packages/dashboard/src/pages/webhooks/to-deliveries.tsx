import { Redirect } from 'wouter'

/** Channels have no test events and no signatures. */
export function ToDeliveries({ application, id }: { application: string; id: string }) {
  return <Redirect to={`/a/${application}/webhooks/${id}`} replace />
}
