/** The form of a new or changed contact. */
import type { Contact, ContactChange, ContactGroup } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { AreaField, CheckField, Form, TextField, type Values } from '../../components/form.tsx'
import { refresh } from '../../queries.ts'
import { type Account, keyOf } from './data.ts'
import { rowOf, type ValueRow, ValueRows } from './value-rows.tsx'

const names = ['given_name', 'surname', 'company_name', 'job_title', 'nickname'] as const
const labels: Record<(typeof names)[number], string> = {
  given_name: 'First name',
  surname: 'Last name',
  company_name: 'Company',
  job_title: 'Job title',
  nickname: 'Nickname',
}

const typed = (type: string) => (type ? { type } : {})
/** Groups are compared without regard to order. */
const ordered = (value: unknown): unknown =>
  Array.isArray(value) && value.every((each) => 'id' in each) ? value.map(({ id }) => id).sort() : value
const same = (a: unknown, b: unknown): boolean => JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))

/** The request body. A change contains only the changed fields. */
function bodyOf(
  values: Values,
  { emails, numbers }: { emails: readonly ValueRow[]; numbers: readonly ValueRow[] },
  before: Contact | undefined,
): ContactChange {
  const texts = [...names, 'birthday' as const].map((name) => [name, values.text(name) ?? null] as const)
  const all: ContactChange = {
    ...Object.fromEntries(texts),
    notes: values.exact('notes') || null,
    emails: emails.map(({ value, type }) => ({ email: value.trim(), ...typed(type) })),
    phone_numbers: numbers.map(({ value, type }) => ({ number: value.trim(), ...typed(type) })),
    groups: values.all('groups').map((id) => ({ id })),
  }
  const old: Record<string, unknown> = { ...before }
  const isAnother = ([name, value]: [string, unknown]): boolean => {
    if (!before) return value !== null && !(Array.isArray(value) && value.length === 0)
    return !same(value, old[name] ?? null)
  }
  return Object.fromEntries(Object.entries(all).filter(isAnother))
}

function write({ application, grant }: Account, before: Contact | undefined, body: ContactChange) {
  const { contacts } = api(application)
  const request = { grant_id: grant.id, body }
  return before ? contacts.update({ ...request, contact_id: before.id }) : contacts.create(request)
}

export function ContactForm({
  account,
  groups,
  before,
  onDone,
  onClose,
}: {
  account: Account
  groups: readonly ContactGroup[]
  before?: Contact
  onDone(contact: Contact): void
  onClose(): void
}) {
  const [emails, setEmails] = useState(
    () => before?.emails.map(({ email, type }) => rowOf(email, type)) ?? [rowOf('', 'work')],
  )
  const [numbers, setNumbers] = useState(
    () => before?.phone_numbers.map(({ number, type }) => rowOf(number, type)) ?? [],
  )
  const own = groups.filter(
    ({ id, group_type }) => group_type === 'user' || before?.groups.some((each) => each.id === id),
  )
  return (
    <Dialog title={before ? 'Edit contact' : 'New contact'} onClose={onClose}>
      <Form
        submit={before ? 'Save' : 'Create contact'}
        onCancel={onClose}
        onSubmit={async (values) => (await write(account, before, bodyOf(values, { emails, numbers }, before))).data}
        onDone={onDone}
        reload={() => refresh(...keyOf(account))}
        done={before ? 'Contact updated' : 'Contact created'}
      >
        <div className="contact-fields">
          {names.map((name) => (
            <TextField
              key={name}
              optional
              label={labels[name]}
              name={name}
              maxLength={255}
              defaultValue={before?.[name] ?? ''}
            />
          ))}
          <TextField
            optional
            label="Birthday"
            name="birthday"
            placeholder="1990-11-15"
            pattern="\d{4}-\d{2}-\d{2}"
            title="A date such as 1990-11-15. Use 0000 if the year is unknown"
            defaultValue={before?.birthday ?? ''}
          />
        </div>
        <ValueRows label="Addresses" one="Address" kind="email" rows={emails} onChange={setEmails} />
        <ValueRows label="Telephone" one="Number" kind="tel" rows={numbers} onChange={setNumbers} />
        {own.length > 0 && (
          <fieldset>
            <legend>Groups</legend>
            <div className="choices">
              {own.map(({ id, name }) => (
                <CheckField
                  key={id}
                  label={name}
                  name="groups"
                  value={id}
                  checked={before?.groups.some((each) => each.id === id)}
                />
              ))}
            </div>
          </fieldset>
        )}
        <AreaField optional label="Notes" name="notes" rows={3} defaultValue={before?.notes ?? ''} />
      </Form>
    </Dialog>
  )
}
