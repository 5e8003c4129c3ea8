/** Chooses between sign-in and pages. Everything except the sign-in requires an administrator session. */
import { useQuery } from '@tanstack/react-query'
import type { Session } from '@waypost/sdk'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { api, isSignedOut } from './api.ts'
import { Shell } from './components/shell.tsx'
import { ErrorNote, Skeleton } from './components/states.tsx'
import { pages } from './page-table.ts'
import { takeFromAddress } from './pages/sign-in/from-address.ts'
import { enter, SignIn } from './pages/sign-in/sign-in.tsx'
import { useFirstApplication } from './queries.ts'
import { RightsContext, rightsIn } from './rights.ts'

const RequiredActionPage = lazy(async () => ({
  default: (await import('./pages/sign-in/required-action.tsx')).RequiredActionPage,
}))
const InvitationPage = lazy(async () => ({ default: (await import('./pages/sign-in/invitation.tsx')).InvitationPage }))

/** Values from the URL fragment, read once. An invitation can also arrive while the page is open. */
let brought = takeFromAddress()

/** The session of this browser. A one-time link in the URL opens one; a used or expired link has no effect. */
async function currentSession() {
  const { link } = brought
  if (link !== undefined) {
    brought = { linkFailed: true }
    try {
      return (await api().session.create({ body: { link } })).data
    } catch (error) {
      if (!isSignedOut(error)) throw error
    }
  }
  return (await api().session.get()).data
}

/** The invitation in the URL until it is accepted or dismissed. */
function useInvitation(): [token: string | undefined, leave: () => void] {
  const [token, setToken] = useState(brought.invitation)
  useEffect(() => {
    const readInvitation = (): void => {
      const { invitation } = takeFromAddress()
      if (invitation !== undefined) setToken(invitation)
    }
    window.addEventListener('hashchange', readInvitation)
    return () => window.removeEventListener('hashchange', readInvitation)
  }, [])
  return [token, () => setToken(undefined)]
}

export function App() {
  const [invitation, leaveInvitation] = useInvitation()
  const [held, setHeld] = useState(false)
  const session = useQuery({
    queryKey: ['session'],
    queryFn: currentSession,
    staleTime: 60_000,
    refetchInterval: 60_000 * 5,
    refetchIntervalInBackground: false,
    retry: false,
  })
  // When the session is requested again after a failure, the sign-in form keeps its input.
  if (session.isPending && session.errorUpdateCount === 0) return <Skeleton lines={3} />
  if (invitation !== undefined) {
    const onDone = (accepted: Session): void => {
      enter(accepted)
      leaveInvitation()
    }
    return (
      <Suspense fallback={<Skeleton lines={3} />}>
        <InvitationPage key={invitation} token={invitation} onDone={onDone} onLeave={leaveInvitation} />
      </Suspense>
    )
  }
  if (!session.data || isSignedOut(session.error)) return <SignIn error={session.error} brought={brought} />
  if (session.data.required_action !== null || held) {
    return (
      <Suspense fallback={<Skeleton lines={3} />}>
        <RequiredActionPage session={session.data} onHold={setHeld} />
      </Suspense>
    )
  }
  return (
    <RightsContext value={rightsIn(session.data)}>
      <Shell>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Pages />
        </Suspense>
      </Shell>
    </RightsContext>
  )
}

function Pages() {
  return (
    <Switch>
      {pages.map(([path, Shown]) => (
        <Route key={path} path={path}>
          {({ application = '', id = '' }: Record<string, string | undefined>) => (
            // A different application or object is a different page, so no state is carried over.
            <Shown key={`${application} ${id}`} application={application} id={id} />
          )}
        </Route>
      ))}
      <Route>
        <Home />
      </Route>
    </Switch>
  )
}

/** The application viewed last, or else the first one. */
function Home() {
  const first = useFirstApplication()
  if (first.error) return <ErrorNote error={first.error} />
  if (first.data === undefined) return <Skeleton />
  return <Redirect to={first.data === null ? '/applications' : `/a/${first.data}`} replace />
}
