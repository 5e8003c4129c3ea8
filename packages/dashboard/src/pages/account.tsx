import { useQuery } from '@tanstack/react-query'
import type { Session } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../api.ts'
import { ActionButton, ConfirmButton } from '../components/dialog.tsx'
import { Form, SelectField, TextField } from '../components/form.tsx'
import { Card, Facts, Page } from '../components/page.tsx'
import { Time } from '../components/time.tsx'
import { tell } from '../components/toast.tsx'
import { leave } from '../queries.ts'
import { applyTheme, currentTheme, themes } from '../theme.ts'

function SessionCard() {
  const { data } = useQuery<Session>({ queryKey: ['session'], enabled: false })
  return (
    <Card
      title="Session"
      actions={
        <>
          <ActionButton
            label="Sign out"
            onAct={async () => {
              await api().session.delete()
              await leave()
            }}
          />
          <ConfirmButton
            label="Sign out everywhere"
            title="Sign out everywhere?"
            confirm="Sign out everywhere"
            onConfirm={async () => {
              await api().session.deleteAll()
              await leave()
            }}
          >
            <p>Every browser that is signed in has to sign in again, this one too. One-time links stop working.</p>
          </ConfirmButton>
        </>
      }
    >
      <div className="card-body">
        <Facts
          rows={[
            ['Signed in', <Time key="in" at={data?.signed_in_at} none="–" />],
            ['Ends at the latest', <Time key="end" at={data?.expires_at} none="–" />],
            ['Without use', 'after 30 minutes'],
          ]}
        />
      </div>
    </Card>
  )
}

function PasswordCard() {
  const [times, setTimes] = useState(0)
  return (
    <Card title="Password" lead="Every other session and every one-time link ends when it changes.">
      <div className="card-body">
        <Form
          key={times}
          submit="Change password"
          onSubmit={(values) =>
            api().session.password({
              body: { current_password: values.exact('current_password'), new_password: values.exact('new_password') },
            })
          }
          onDone={() => {
            setTimes(times + 1)
            tell('The password was changed')
          }}
        >
          <div className="form-grid">
            <TextField
              label="Current password"
              name="current_password"
              type="password"
              autoComplete="current-password"
            />
            <TextField
              label="New password"
              name="new_password"
              type="password"
              autoComplete="new-password"
              minLength={8}
              hint="At least 8 characters; 15 or more are better."
            />
          </div>
        </Form>
      </div>
    </Card>
  )
}

function ThemeCard() {
  const [theme, setTheme] = useState(currentTheme)
  return (
    <Card title="Appearance">
      <div className="card-body narrow">
        <SelectField
          label="Theme"
          name="theme"
          value={theme}
          hint="Kept in this browser."
          onChange={(value) => {
            const chosen = themes.find((each) => each === value) ?? 'system'
            setTheme(chosen)
            applyTheme(chosen)
          }}
          options={[
            ['system', 'As the system'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
        />
      </div>
    </Card>
  )
}

export function Account() {
  return (
    <Page title="Account" lead="There is one administrator.">
      <SessionCard />
      <PasswordCard />
      <ThemeCard />
    </Page>
  )
}
