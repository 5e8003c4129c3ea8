import type { InvitedPerson } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { Time } from '../../components/time.tsx'
import { refresh } from '../../queries.ts'
import { AccessFields, accessIn } from './access-fields.tsx'

/** The invitation link, shown once. */
export function InvitationLink({ invited, onClose }: { invited: InvitedPerson; onClose(): void }) {
  return (
    <ShownOnce
      title={`Invitation link for ${invited.name}`}
      secret={invited.invitation_link}
      label="Copy link"
      onClose={onClose}
    >
      Send this link to <span className="wrap">{invited.email}</span> yourself. The service sends no email, and the link
      is shown only once. The recipient chooses their own password. The link works once and expires
      <Time at={invited.invitation_expires_at} />.
    </ShownOnce>
  )
}

export function Invite({ onClose }: { onClose(): void }) {
  const [invited, setInvited] = useState<InvitedPerson>()
  if (invited) return <InvitationLink invited={invited} onClose={onClose} />
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form
        submit="Create link"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { email: values.text('email') ?? '', name: values.text('name'), ...accessIn(values) }
          return (await api().people.create({ body })).data
        }}
        reload={() => refresh('people')}
        onDone={setInvited}
      >
        <TextField label="Address" name="email" type="email" hint="Used to sign in." maxLength={320} autoFocus />
        <TextField label="Name" name="name" optional maxLength={256} hint="The person can change it." />
        <AccessFields access={{ role: 'administrator', applications: 'all' }} />
      </Form>
    </Dialog>
  )
}
