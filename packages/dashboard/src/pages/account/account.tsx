/** The account of the signed-in user: name, password, second factor, sessions, theme. */
import '../../styles/people.css'
import { useState } from 'react'
import { api } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { SelectField } from '../../components/form.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { leave, useData } from '../../queries.ts'
import { useSession } from '../../rights.ts'
import { applyTheme, currentTheme, themes } from '../../theme.ts'
import { PasswordCard } from './password.tsx'
import { ProfileCard } from './profile.tsx'
import { SecondFactorCard } from './second-factor.tsx'
import { SessionTable } from './sessions.tsx'

function SessionsCard({ installation }: { installation: boolean }) {
  return (
    <Card
      title="Sessions"
      lead="Sessions end after 30 minutes of inactivity, and after 12 hours at the latest."
      actions={
        <ConfirmButton
          own
          label="Sign out everywhere"
          title="Sign out everywhere?"
          onConfirm={async () => {
            await api().session.deleteAll()
            await leave()
          }}
        >
          <p>
            Every browser that is signed in {installation ? 'with the installation’s password' : 'as you'} is signed
            out, including this one.
            {installation && ' One-time links stop working.'}
          </p>
        </ConfirmButton>
      }
    >
      <SessionTable />
    </Card>
  )
}

function Own() {
  const account = useData(['account'], (signal) => api().account.get({ signal }))
  return (
    <Loaded query={account}>
      {(person) => (
        <>
          <ProfileCard key={person.name} person={person} />
          {person.has_password && <PasswordCard installation={false} />}
          {person.has_password && <SecondFactorCard person={person} />}
        </>
      )}
    </Loaded>
  )
}

export function Account() {
  const session = useSession()
  const installation = session?.person === null
  return (
    <Page
      title="Account"
      lead={installation ? 'You are signed in with the installation’s password.' : undefined}
      actions={installation && <LinkButton to="/people">Invite people</LinkButton>}
    >
      {installation ? <PasswordCard installation /> : <Own />}
      <SessionsCard installation={installation} />
      <ThemeCard />
    </Page>
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
          hint="Stored in this browser."
          onChange={(value) => {
            const chosen = themes.find((each) => each === value) ?? 'system'
            setTheme(chosen)
            applyTheme(chosen)
          }}
          options={[
            ['system', 'System'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
        />
      </div>
    </Card>
  )
}
