/** Composes mail for an account and sends it through the API, like an application. */
import type { Attachment, OutgoingAttachment } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { AreaField, CheckField, TextField, type Values } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { fileName } from './attachments.tsx'
import { type DraftStart, peopleIn } from './compose-draft.ts'
import { type Mailbox, readAttachment, refreshMail } from './mail.ts'
import { saySize } from './sizes.ts'

/** Maximum total size of all attachments. */
const maxBytes = 3 * 1024 * 1024

async function base64Of(bytes: Blob): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(bytes)
  })
  return address.slice(address.indexOf(',') + 1)
}

async function attached(name: string, bytes: Blob): Promise<OutgoingAttachment> {
  return { filename: name, content_type: bytes.type || 'application/octet-stream', content: await base64Of(bytes) }
}

interface ComposeProps {
  mailbox: Mailbox
  begun: DraftStart
  onClose(): void
}

export function Compose({ mailbox, begun, onClose }: ComposeProps) {
  const [files, setFiles] = useState<File[]>([])
  const passed = (begun.filesOf?.attachments ?? []).filter(({ is_inline }) => !is_inline)
  const size = [...files.map((file) => file.size), ...passed.map((each) => each.size ?? 0)].reduce((a, b) => a + b, 0)

  const onSubmit = async (values: Values): Promise<'sent' | 'saved'> => {
    const sent = values.checked('files') ? passed : []
    const attachments = await Promise.all([
      ...files.map((file) => attached(file.name, file)),
      ...sent.map((each) => passAlong(mailbox, begun.filesOf?.id ?? '', each)),
    ])
    const body = {
      to: peopleIn(values.text('to')),
      cc: peopleIn(values.text('cc')),
      bcc: peopleIn(values.text('bcc')),
      subject: values.text('subject') ?? '',
      body: values.exact('body'),
      is_plaintext: true,
      ...(begun.answers ? { reply_to_message_id: begun.answers } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
    }
    const { drafts, messages } = api(mailbox.application)
    if (values.checked('draft')) {
      await drafts.create({ grant_id: mailbox.grant, body })
      return 'saved'
    }
    await messages.send({ grant_id: mailbox.grant, body })
    return 'sent'
  }

  return (
    <FormDialog
      wide
      title={begun.title}
      onClose={onClose}
      className="compose"
      submit="Send"
      onSubmit={onSubmit}
      onDone={(done) => {
        showToast(done === 'sent' ? 'Message sent' : 'Draft saved')
        void refreshMail(mailbox)
      }}
    >
      <p className="quiet small">
        You are writing as <bdi>{mailbox.address}</bdi>. Recipients see the customer as the sender.
      </p>
      <TextField label="To" name="to" defaultValue={begun.to} hint="Separate addresses with commas" />
      <div className="columns">
        <TextField optional label="Cc" name="cc" defaultValue={begun.cc} />
        <TextField optional label="Bcc" name="bcc" />
      </div>
      <TextField optional label="Subject" name="subject" defaultValue={begun.subject} maxLength={998} spellCheck />
      <AreaField optional label="Text" name="body" rows={12} defaultValue={begun.body} />
      <div className="field">
        <label htmlFor="compose-files">Files</label>
        <input
          id="compose-files"
          type="file"
          multiple
          aria-describedby="compose-size"
          onChange={(event) => setFiles(Array.from(event.currentTarget.files ?? []))}
        />
        <span id="compose-size" className={size > maxBytes ? 'problem' : 'hint'}>
          {size > 0 ? `${saySize(size)} of ` : 'Up to '}
          {saySize(maxBytes)} in total
        </span>
      </div>
      {passed.length > 0 && (
        <CheckField
          name="files"
          checked
          label={`With the ${passed.length === 1 ? 'file' : `${passed.length} files`} of the message`}
          hint={passed.map(fileName).join(', ')}
        />
      )}
      <CheckField name="draft" label="Save as draft instead of sending" />
    </FormDialog>
  )
}

const passAlong = async (mailbox: Mailbox, message: string, attachment: Attachment): Promise<OutgoingAttachment> =>
  attached(fileName(attachment), await readAttachment(mailbox, message, attachment))
