/** Sign-in: as a person, with the installation's password, or with OpenID Connect. */
import { type Session, type SignInWays, WaypostError } from '@waypost/sdk'
import { useState } from 'react'
import { api, baseUrl, isSignedOut, pageBase } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FieldError, Form, TextField } from '../../components/form.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { forgetAll, queries, useData } from '../../queries.ts'
import { EntryPage } from './entry-page.tsx'
import type { Brought } from './from-address.ts'
import { PersonForm } from './person-form.tsx'

/** Messages for failed sign-ins at an OpenID provider. */
const refusals: Record<string, string> = {
  cancelled: 'The sign-in was canceled.',
  expired: 'The sign-in took too long or was started in another browser. Start again.',
  unreachable: 'The provider cannot be reached. Try again in a moment.',
  refused: 'The provider refused the sign-in, or its response was invalid. See the service log for the reason.',
  unverified: 'The provider did not confirm that your address is verified. Verify it there and sign in again.',
  unknown: 'You do not have an account here. Ask an owner for an invitation.',
}

/** Clears data of the previous user and starts the session. */
export function enter(session: Session): void {
  forgetAll()
  queries.setQueryData(['session'], session)
}

/** The requested page, to return to after the sign-in. */
const requestedPage = (): string => window.location.pathname.slice(pageBase.length) + window.location.search

function ProviderButton({ oidc }: { oidc: NonNullable<SignInWays['oidc']> }) {
  return (
    <a className="button wide" href={`${baseUrl}${oidc.url}?to=${encodeURIComponent(requestedPage())}`}>
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
          {installation ? 'Sign in with your own account' : 'Use the installation password'}
        </Button>
      )}
    </>
  )
}

export function SignIn({ error, brought: { linkFailed, oidc } }: { error: unknown; brought: Brought }) {
  const ways = useData(['session', 'ways'], (signal) => api().session.ways({ signal }), { staleTime: Infinity })
  const signedOut = isSignedOut(error)
  return (
    <EntryPage title="Sign in">
      {linkFailed && signedOut && (
        <div className="note warn" role="alert">
          <strong>This link was already used, or is older than 15 minutes.</strong>
          <span className="small">
            To create a new one, run <code>waypost dashboard link</code> on the server.
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

/** Sign-in with the installation's password, which the first start printed. */
function InstallationForm({ onDone }: { onDone(session: Session): void }) {
  return (
    <>
      <Form
        submit="Sign in"
        fullWidth
        onSubmit={async (values) => (await api().session.create({ body: { password: values.exact('password') } })).data}
        explain={(failure) => (isSignedOut(failure) ? new FieldError('password', 'This password is wrong.') : failure)}
        onDone={onDone}
      >
        {/* Tells password managers whose password it is. */}
        <input hidden readOnly name="username" value="admin" autoComplete="username" />
        <TextField
          label="Installation password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      </Form>
      <p className="quiet small">
        The service printed it at its first start. Or run <code>waypost dashboard link</code> on the server to create a
        sign-in link.
      </p>
    </>
  )
}
