/** One contact: its details, editing and deletion. */

import type { ContactGroup } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Code, json } from '../../components/copy.tsx'
import { ConfirmButton, Dialog } from '../../components/dialog.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import { ContactFacts, Portrait } from './contact-facts.tsx'
import { ContactForm } from './contact-form.tsx'
import { type Account, keyOf, useContact } from './data.ts'
import { nameOf } from './names.ts'

const sources: Record<string, string> = { inbox: 'From mail', domain: 'From the directory' }

export function ContactDetails({
  account,
  groups,
  id,
  onClose,
}: {
  account: Account
  groups: readonly ContactGroup[]
  id: string
  onClose(): void
}) {
  const [isChanging, setChanging] = useState(false)
  const query = useContact(account, id)
  const contact = query.data
  if (!contact) {
    return (
      <Dialog title="Contact" onClose={onClose}>
        {query.error ? <ErrorNote error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton />}
      </Dialog>
    )
  }
  const back = (): void => setChanging(false)
  if (isChanging) return <ContactForm {...{ account, groups }} before={contact} onClose={back} onDone={back} />
  const remove = async (): Promise<void> => {
    await api(account.application).contacts.delete({ grant_id: account.grant.id, contact_id: id })
    showToast(`${nameOf(contact)} was deleted`)
    onClose()
    void refresh(...keyOf(account, 'list'))
  }
  return (
    <Dialog title={nameOf(contact)} onClose={onClose}>
      <div className="contact-head">
        <Portrait large contact={contact} />
        {sources[contact.source] && <Badge plain>{sources[contact.source]}</Badge>}
      </div>
      <ContactFacts contact={contact} groups={groups} />
      <details className="disclosure">
        <summary>Full API response</summary>
        <Code label="The contact as JSON" text={json({ ...contact, picture: contact.picture && '(a picture)' })} />
      </details>
      {contact.source === 'address_book' ? (
        <div className="dialog-foot">
          <ConfirmButton
            label="Delete"
            title={`Delete ${nameOf(contact)}?`}
            confirm="Delete contact"
            onConfirm={remove}
          >
            <p>The provider deletes it too.</p>
          </ConfirmButton>
          <Button kind="primary" onClick={() => setChanging(true)}>
            Change
          </Button>
        </div>
      ) : (
        <p className="note small">Only address book contacts can be changed.</p>
      )}
    </Dialog>
  )
}
