/** The return page of a hosted sign-in started from the dashboard. It exchanges the code for a grant. */
import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { api } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty, ErrorNote, Skeleton } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import { type BegunSignIn, connectedUri, endSignIn } from './sign-in-link.ts'

interface Arrival {
  code: string | null
  problem: string | undefined
  begun: BegunSignIn | undefined
}

/**
 * Removes the query from the URL at once: a code works only once, and neither it nor an error should stay in the
 * history.
 */
function takeQuery(): Arrival {
  const query = new URLSearchParams(window.location.search)
  window.history.replaceState(null, '', window.location.pathname)
  const problem = query.get('error_description') ?? query.get('error') ?? undefined
  return { code: query.get('code'), problem, begun: endSignIn(query.get('state')) }
}

let taken: Arrival | undefined
/**
 * This page is always reached by a full page load, so the query is read once, even if the component renders again.
 */
const arrival = (): Arrival => {
  taken ??= takeQuery()
  return taken
}

export function Connected() {
  const { code, problem, begun } = arrival()
  const { application, verifier } = begun ?? {}
  const able = code !== null && application !== undefined
  const grant = useQuery({
    queryKey: ['connected', code],
    enabled: able,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { data } = await api().adminGrants.complete({
        application_id: application ?? '',
        body: { code: code ?? '', redirect_uri: connectedUri, ...(verifier ? { code_verifier: verifier } : {}) },
      })
      await Promise.all([refresh('grants', application), refresh('applications')])
      showToast(`${data.email} is connected`)
      return data
    },
  })
  if (grant.data) return <Redirect to={`/a/${application}/grants/${grant.data.id}`} replace />
  const back = application ? `/a/${application}/grants` : '/'
  return (
    <Page title="Connecting the account">
      <Card>
        {able && !grant.error && <Skeleton lines={3} />}
        {grant.error && (
          <div className="card-body">
            <ErrorNote error={grant.error} />
          </div>
        )}
        {!able && (
          <Empty
            title={problem ? 'The account was not connected' : 'No sign-in in progress'}
            actions={<LinkButton to={back}>Go to grants</LinkButton>}
          >
            {problem ?? 'Start with "Connect an account" on the Grants page in this browser.'}
          </Empty>
        )}
      </Card>
    </Page>
  )
}
