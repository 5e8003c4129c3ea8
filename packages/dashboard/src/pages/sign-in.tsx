import { WaypostError } from '@waypost/sdk'
import { useEffect } from 'react'
import { api, isSignedOut } from '../api.ts'
import { Form, TextField } from '../components/form.tsx'
import { ErrorNote } from '../components/states.tsx'
import icon from '../icon.svg'
import { forgetAll, queries } from '../queries.ts'

let linkFailed = false

/** The token of a one-time link, once: it leaves the address, and with it the history, before it is used. */
export function takeLink(): string | undefined {
  const link = /^#link=(.+)$/.exec(window.location.hash)?.[1]
  if (link === undefined) return undefined
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
  linkFailed = true
  return decodeURIComponent(link)
}

export function SignIn({ error }: { error: unknown }) {
  useEffect(() => {
    document.title = 'Sign in · Waypost'
  }, [])
  const signedOut = isSignedOut(error)
  return (
    <main className="sign-in">
      <div className="brand">
        <img src={icon} alt="" />
        Waypost
      </div>
      <section className="card">
        <div className="card-body stack">
          <h1>Sign in</h1>
          {linkFailed && signedOut && (
            <div className="note warn" role="alert">
              <strong>This link was used already, or is older than 15 minutes.</strong>
              <span className="small">
                <code>waypost dashboard link</code> makes another one.
              </span>
            </div>
          )}
          {!signedOut && error instanceof WaypostError && <ErrorNote error={error} />}
          <Form
            submit="Sign in"
            onSubmit={async (values) =>
              (await api().session.create({ body: { password: values.exact('password') } })).data
            }
            onDone={(session) => {
              linkFailed = false
              forgetAll()
              queries.setQueryData(['session'], session)
            }}
          >
            {/* Password managers want to know whose password it is. */}
            <input hidden readOnly name="username" value="admin" autoComplete="username" />
            <TextField
              label="Administrator's password"
              name="password"
              type="password"
              autoComplete="current-password"
              autoFocus
            />
          </Form>
          <p className="quiet small">
            The first start of the service printed it. <code>waypost dashboard link</code> makes a link that signs in
            without it.
          </p>
        </div>
      </section>
    </main>
  )
}
