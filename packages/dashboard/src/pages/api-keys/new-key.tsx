/** Creates an API key, with all rights or with limited ones. */
import type { NewApiKey } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { CardChoice } from '../../components/card-choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { refresh } from '../../queries.ts'
import { type ChosenGrant, firstRights } from '../agents/rights.ts'
import { RightsFields } from '../agents/rights-fields.tsx'
import { rightsIn } from '../agents/rights-form.ts'

const kinds = [
  ['all', 'All rights', 'For your own services: everything in this application.'],
  ['limited', 'Limited rights', 'For assistants and others: chosen operations, grants and recipients, with approval.'],
] as const

export function NewKey({ application, onClose }: { application: string; onClose(): void }) {
  const [made, setMade] = useState<NewApiKey>()
  const [kind, setKind] = useState<'all' | 'limited'>('all')
  const [chosen, setChosen] = useState<readonly ChosenGrant[]>([])
  if (made) {
    return (
      <ShownOnce title="Your new API key" secret={made.api_key} label="Copy the API key" onClose={onClose}>
        Copy it now. It is shown only once.
      </ShownOnce>
    )
  }
  return (
    <Dialog wide={kind === 'limited'} title="New API key" onClose={onClose}>
      <Form
        submit="Create key"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = {
            name: values.text('name') ?? '',
            expires_in: values.number('expires_in'),
            ...(kind === 'limited' ? { rights: rightsIn(values, chosen) } : {}),
          }
          return (await api().apiKeys.create({ application_id: application, body })).data
        }}
        reload={() => refresh('api-keys', application)}
        onDone={setMade}
      >
        <TextField label="Name" name="name" hint="What the key is for, such as the service that uses it." autoFocus />
        <TextField
          label="Expires after"
          name="expires_in"
          type="number"
          min={1}
          max={36_500}
          optional
          hint="In days. Leave empty for a key that never expires."
        />
        <CardChoice legend="Rights" name="kind" options={kinds} value={kind} onChoose={setKind} />
        {kind === 'limited' && <RightsFields {...{ application, chosen }} rights={firstRights} onChosen={setChosen} />}
      </Form>
    </Dialog>
  )
}
