/** The search field and filters of the message list. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, SelectField, TextField } from '../../components/form.tsx'
import { filterNames, type MailFilter } from './mail-filter.ts'

interface SearchProps {
  filter: MailFilter
  /** Name of the provider's native search language. */
  native: string
  onSearch(filter: MailFilter): void
}

const yesNo = [
  ['', 'Any'],
  ['yes', 'Yes'],
  ['no', 'No'],
] as const

const words: Record<(typeof filterNames)[number], string> = {
  q: 'Words',
  subject: 'Subject',
  from: 'From',
  to: 'To',
  unread: 'Unread',
  starred: 'Starred',
  files: 'Attachments',
  after: 'Since',
  before: 'Until',
  native: 'Native search',
}

export function Search({ filter, native, onSearch }: SearchProps) {
  const [open, setOpen] = useState(false)
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
    onSearch({ ...filter, q, native: '' })
  }
  const more = filterNames.filter((name) => name !== 'q' && filter[name])
  return (
    <search className="mail-search">
      <form onSubmit={onSubmit} className="mail-search-line">
        <input
          // A new search resets the text field.
          key={filter.q}
          className="input"
          type="search"
          name="q"
          aria-label="Search mail"
          placeholder="Search mail"
          defaultValue={filter.q}
          maxLength={1024}
        />
        <Button type="submit">Search</Button>
        <Button aria-expanded={open} onClick={() => setOpen(true)}>
          Filters{more.length > 0 ? ` (${more.length})` : ''}
        </Button>
      </form>
      {more.length + (filter.q ? 1 : 0) > 0 && (
        <ul className="tags" aria-label="Active filters">
          {filterNames
            .filter((name) => filter[name])
            .map((name) => (
              <li key={name} className="tag mail-tag">
                {words[name]}: <bdi>{filter[name]}</bdi>
                <button
                  type="button"
                  aria-label={`Remove filter: ${words[name]}`}
                  onClick={() => onSearch({ ...filter, [name]: '' })}
                >
                  ×
                </button>
              </li>
            ))}
        </ul>
      )}
      {open && (
        <Dialog title="Filters" onClose={() => setOpen(false)}>
          <Form
            submit="Search"
            onCancel={() => setOpen(false)}
            onSubmit={async (values) =>
              Object.fromEntries(filterNames.map((name) => [name, values.text(name) ?? ''])) as MailFilter
            }
            onDone={(found) => {
              setOpen(false)
              onSearch(found)
            }}
          >
            <Fields filter={filter} native={native} />
          </Form>
        </Dialog>
      )}
    </search>
  )
}

function Fields({ filter, native }: Pick<SearchProps, 'filter' | 'native'>) {
  return (
    <>
      <TextField optional label="Words" name="q" defaultValue={filter.q} maxLength={1024} />
      <TextField optional label="Subject" name="subject" defaultValue={filter.subject} />
      <div className="columns">
        <TextField optional label="From" name="from" defaultValue={filter.from} hint="Full addresses" />
        <TextField optional label="To" name="to" defaultValue={filter.to} hint="Full addresses" />
      </div>
      <div className="mail-thirds">
        <SelectField label="Unread" name="unread" options={yesNo} defaultValue={filter.unread} />
        <SelectField label="Starred" name="starred" options={yesNo} defaultValue={filter.starred} />
        <SelectField label="Attachments" name="files" options={yesNo} defaultValue={filter.files} />
      </div>
      <div className="columns">
        <TextField optional type="date" label="Since" name="after" defaultValue={filter.after} />
        <TextField optional type="date" label="Until" name="before" defaultValue={filter.before} />
      </div>
      <TextField
        optional
        label={`Provider search syntax (${native})`}
        name="native"
        defaultValue={filter.native}
        hint="Replaces all other filters."
      />
    </>
  )
}
