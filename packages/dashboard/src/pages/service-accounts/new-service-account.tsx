import type { ServiceAccountCredential, ServiceAccountPermission } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Code, CopyButton, json } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField, Choices, FieldError, Form, SelectField, TextField } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { openExportFile } from '../../list/export-file.ts'
import { refresh, useApplications } from '../../queries.ts'

const permissions: Readonly<Record<ServiceAccountPermission, string>> = {
  'apikey.create': 'Create API keys',
  'apikey.get': 'Read API keys, without their secrets',
  'apikey.update': 'Change the rights of API keys',
  'apikey.delete': 'Revoke API keys',
  'application.create': 'Create applications',
  'application.get': 'Read applications',
  'application.update': 'Block and limit applications',
  'usage.get': 'Read billed grants',
  'audit.get': 'Read the audit log',
  'health.get': 'Read the health of the service',
}
const names = Object.keys(permissions) as ServiceAccountPermission[]

async function saveFile(credential: ServiceAccountCredential): Promise<void> {
  const file = await openExportFile()
  await file.write(`${json(credential)}\n`)
  await file.save(`waypost-service-account-${credential.private_key_id}.json`, 'application/json')
}

/** The credential file, which the service does not have any more. */
function CredentialFile({ credential, onClose }: { credential: ServiceAccountCredential; onClose(): void }) {
  const text = json(credential)
  return (
    <Dialog wide title="The credential file" onClose={onClose}>
      <p>
        It contains the private key. Save it now: it is shown only once, and the service stores only the public key.
      </p>
      <div className="actions">
        <Button kind="primary" onClick={() => void saveFile(credential)}>
          Download the file
        </Button>
        <CopyButton text={text} label="Copy the file" />
      </div>
      <Code label="Credential file" text={text} />
      <div className="dialog-foot">
        <Button onClick={onClose}>I have saved it</Button>
      </div>
    </Dialog>
  )
}

export function NewServiceAccount({ onClose }: { onClose(): void }) {
  const { data: applications = [] } = useApplications()
  const [some, setSome] = useState(false)
  const [credential, setCredential] = useState<ServiceAccountCredential>()
  if (credential) return <CredentialFile {...{ credential, onClose }} />
  return (
    <Dialog wide title="New service account" onClose={onClose}>
      <Form
        submit="Create service account"
        onCancel={onClose}
        onSubmit={async (values) => {
          const chosen = values.all('permissions')
          if (chosen.length === 0) throw new FieldError('permissions', 'Choose at least one.')
          const reached = values.all('applications')
          if (some && reached.length === 0) throw new FieldError('applications', 'Choose at least one.')
          const { data } = await api().serviceAccounts.create({
            body: {
              name: values.text('name') ?? '',
              permissions: names.filter((each) => chosen.includes(each)),
              applications: some ? reached : 'all',
              expires_in: values.number('expires_in') ?? null,
            },
          })
          await refresh('service-accounts')
          return data.credential
        }}
        onDone={(made) => {
          if (made) return setCredential(made)
          showToast('Service account created')
          onClose()
        }}
      >
        <TextField label="Name" name="name" maxLength={256} hint="It is shown in the audit." autoFocus />
        <Choices legend="Permissions" name="permissions">
          {names.map((each) => (
            <CheckField
              key={each}
              name="permissions"
              value={each}
              label={<code>{each}</code>}
              hint={permissions[each]}
            />
          ))}
        </Choices>
        <SelectField
          label="Applications"
          name="reach"
          value={some ? 'some' : 'all'}
          onChange={(value) => setSome(value === 'some')}
          options={[
            ['all', 'All, including future ones'],
            ['some', 'Only selected applications'],
          ]}
        />
        {some && (
          <Choices legend="Which" name="applications">
            {applications.map(({ application_id: id, branding }) => (
              <CheckField key={id} name="applications" value={id} label={branding.name} />
            ))}
          </Choices>
        )}
        <TextField label="Expires after days" name="expires_in" type="number" min={1} max={36_500} optional />
      </Form>
    </Dialog>
  )
}
