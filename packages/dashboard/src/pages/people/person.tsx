/** One person: access, sign-in methods, sessions, API keys, and removal. */
import type { InvitedPerson, Person, PersonChange } from '@waypost/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import '../../styles/people.css'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import { refresh, useData } from '../../queries.ts'
import { useRights } from '../../rights.ts'
import { SessionTable } from '../account/sessions.tsx'
import { AccessFields, accessIn } from './access-fields.tsx'
import { CreatedKeysCard, RevokeKeysField } from './created-keys.tsx'
import { InvitationLink } from './invite.tsx'
import { OwnersOnly, Ways } from './people.tsx'

async function change(id: string, body: PersonChange): Promise<void> {
  const { data } = await api().people.update({ person_id: id, body })
  // The user may have changed their own account.
  await Promise.all([refresh('people'), refresh('sessions'), refresh('session'), refresh('api-keys')])
  const { api_keys: keys, api_keys_revoked: revoked } = data
  const said = revoked ? 'revoked' : `that they created still ${keys.length === 1 ? 'works' : 'work'}`
  showToast(keys.length === 0 ? 'Saved' : `Saved. ${plural(keys.length, 'API key')} ${said}.`)
}

function AccessCard({ person }: { person: Person }) {
  return (
    <Card title="Rights" lead="Changes apply from the person’s next request.">
      <div className="card-body">
        <Form
          submit="Save"
          onSubmit={(values) => change(person.id, { name: values.text('name'), ...accessIn(values) })}
        >
          <div className="form-grid">
            <TextField label="Name" name="name" maxLength={256} defaultValue={person.name} />
            <AccessFields access={person} />
          </div>
        </Form>
      </div>
    </Card>
  )
}

function NewLink({ person }: { person: Person }) {
  const [invited, setInvited] = useState<InvitedPerson>()
  return (
    <>
      <ConfirmButton
        danger={false}
        label={person.state === 'invited' ? 'New link' : 'Link for a new password'}
        title={`Create a link for ${person.name}?`}
        confirm="Create link"
        onConfirm={async () => {
          const { data } = await api().people.invite({ person_id: person.id })
          await refresh('people')
          setInvited(data)
        }}
      >
        <p>Anyone who opens it can choose a new password for this person. Earlier links stop working.</p>
      </ConfirmButton>
      {invited && <InvitationLink invited={invited} onClose={() => setInvited(undefined)} />}
    </>
  )
}

function SignInCard({ person }: { person: Person }) {
  return (
    <Card
      title="Sign-in"
      actions={
        <>
          {person.has_totp && (
            <ConfirmButton
              label="Remove second factor"
              title={`Remove the second factor of ${person.name}?`}
              confirm="Remove"
              onConfirm={() => api().people.removeTotp({ person_id: person.id })}
              reload={() => Promise.all([refresh('people'), refresh('sessions')])}
              done="Second factor removed"
            >
              <p>
                For people who lost their app and recovery codes. They sign in with their password only, and their
                sessions end.
              </p>
            </ConfirmButton>
          )}
          {person.state !== 'blocked' && <NewLink person={person} />}
        </>
      }
    >
      <div className="card-body">
        <Facts
          rows={[
            ['State', <Status key="state" of={person.state} />],
            ['Signs in with', <Ways key="ways" person={person} />],
            ['Last signed in', <Time key="last" at={person.signed_in_at} />],
            ...(person.has_totp
              ? [['Recovery codes', `${plural(person.recovery_codes_left, 'code')} left`] as const]
              : []),
            ...(person.invitation_expires_at === null
              ? []
              : [['Link expires', <Time key="link" at={person.invitation_expires_at} />] as const]),
          ]}
        />
      </div>
    </Card>
  )
}

function EndCard({ person }: { person: Person }) {
  const [, navigate] = useLocation()
  const { id, name, state } = person
  const blocked = state === 'blocked'
  const [revoke, setRevoke] = useState(false)
  const keysField = <RevokeKeysField id={id} revoke={revoke} onChange={setRevoke} />
  return (
    <Card
      title="Access"
      actions={
        <>
          <ConfirmButton
            key={state}
            danger={!blocked}
            label={blocked ? 'Unblock' : 'Block'}
            title={blocked ? `Unblock ${name}?` : `Block ${name}?`}
            onConfirm={() =>
              change(id, { blocked: !blocked, ...(!blocked && revoke ? { revoke_api_keys: true } : {}) })
            }
          >
            <p>
              {blocked
                ? 'They can sign in again.'
                : 'Their sessions end immediately, and they cannot sign in until you unblock them.'}
            </p>
            {!blocked && keysField}
          </ConfirmButton>
          <ConfirmButton
            label="Remove"
            title={`Remove ${name}?`}
            onConfirm={async () => {
              const { data } = await api().people.delete({ person_id: id, query: { revoke_api_keys: revoke } })
              await Promise.all([refresh('people'), refresh('api-keys')])
              showToast(
                data.api_keys_revoked ? `${name} was removed, and their API keys were revoked` : `${name} was removed`,
              )
              navigate('/people')
            }}
          >
            <p>Their sessions end immediately. Their changes stay in the audit log under their name.</p>
            {keysField}
          </ConfirmButton>
        </>
      }
    >
      <div className="card-body">
        <p className="quiet">You cannot block or remove the last owner who can sign in.</p>
      </div>
    </Card>
  )
}

function Shown({ id }: { id: string }) {
  const found = useData(['people', id], (signal) => api().people.get({ person_id: id, signal }))
  return (
    <Page
      title={found.data?.name ?? 'Person'}
      lead={found.data && <span className="wrap">{found.data.email}</span>}
      back={{ to: '/people', label: 'People' }}
    >
      <Loaded query={found}>
        {(person) => (
          <>
            <SignInCard person={person} />
            <AccessCard key={person.updated_at} person={person} />
            <Card
              title="Sessions"
              lead="Browsers where this person is signed in."
              actions={
                <ConfirmButton
                  label="End all"
                  title={`End all sessions of ${person.name}?`}
                  onConfirm={() => api().session.deleteAll({ query: { person_id: id } })}
                  reload={() => Promise.all([refresh('sessions'), refresh('session')])}
                  done="All sessions ended"
                >
                  <p>All browsers of this person are signed out.</p>
                </ConfirmButton>
              }
            >
              <SessionTable person={id} />
            </Card>
            <CreatedKeysCard person={person} />
            <EndCard person={person} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export function PersonPage({ id }: { id: string }) {
  return useRights().people ? <Shown id={id} /> : <OwnersOnly />
}
