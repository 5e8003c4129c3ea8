/** Signing in: as a person, with the password of the installation, or at an OpenID provider. */
import { useQuery } from '@tanstack/react-query'
import { type Session, type SignInWays, WaypostError } from '@waypost/sdk'
import { useState } from 'react'
import { api, baseUrl, isSignedOut, pageBase } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { forgetAll, queries } from '../../queries.ts'
import { EntryPage } from './entry-page.tsx'
import type { Brought } from './from-address.ts'
import { InstallationForm } from './installation-form.tsx'
import { PersonForm } from './person-form.tsx'

/** What a sign-in at the provider came to, in words. */
const refusals: Record<string, string> = {
  cancelled: 'The sign-in was cancelled.',
  expired: 'The sign-in took too long, or was begun in another browser. Begin again.',
  unreachable: 'The provider cannot be reached now. Try again in a moment.',
  refused: 'The provider refused the sign-in, or its answer did not check out. The log of the service says why.',
  unverified: 'The provider does not say that your address is verified. Have it verified there, and sign in again.',
  unknown: 'You are not among the people of this service. Ask an owner for an invitation.',
}

/** Whoever came in: what others read before them is gone. */
export function enter(session: Session): void {
  forgetAll()
  queries.setQueryData(['session'], session)
}

/** The page that was asked for, to come back to. */
const asked = (): string => window.location.pathname.slice(pageBase.length) + window.location.search

function ProviderButton({ oidc }: { oidc: NonNullable<SignInWays['oidc']> }) {
  return (
    <a className="button wide" href={`${baseUrl}${oidc.url}?to=${encodeURIComponent(asked())}`}>
      Sign in with {oidc.name}
    </a>
  )
}

function Ways({ ways }: { ways: SignInWays }) {
  const [installation, setInstallation] = useState(ways.installation_password && !ways.people)
  const other = installation ? ways.people : ways.installation_password
  return (
    <>
      {ways.oidc && (
        <>
          <ProviderButton oidc={ways.oidc} />
          <p className="or">or</p>
        </>
      )}
      {installation ? <InstallationForm onDone={enter} /> : <PersonForm onDone={enter} />}
      {other && (
        <Button kind="plain" small onClick={() => setInstallation(!installation)}>
          {installation ? 'Sign in as a person' : 'Use the installation’s password'}
        </Button>
      )}
    </>
  )
}

export function SignIn({ error, brought: { linkFailed, oidc } }: { error: unknown; brought: Brought }) {
  const ways = useQuery({
    queryKey: ['session', 'ways'],
    queryFn: async ({ signal }) => (await api().session.ways({ signal })).data,
    staleTime: Infinity,
  })
  const signedOut = isSignedOut(error)
  return (
    <EntryPage title="Sign in">
      {linkFailed && signedOut && (
        <div className="note warn" role="alert">
          <strong>This link was used already, or is older than 15 minutes.</strong>
          <span className="small">
            <code>waypost dashboard link</code> makes another one.
          </span>
        </div>
      )}
      {oidc !== undefined && (
        <div className="note warn" role="alert">
          <strong>{refusals[oidc] ?? refusals.refused}</strong>
        </div>
      )}
      {!signedOut && error instanceof WaypostError && <ErrorNote error={error} />}
      {ways.data ? (
        <Ways ways={ways.data} />
      ) : ways.error ? (
        <ErrorNote error={ways.error} onRetry={() => void ways.refetch()} />
      ) : (
        <Skeleton lines={2} />
      )}
    </EntryPage>
  )
}
