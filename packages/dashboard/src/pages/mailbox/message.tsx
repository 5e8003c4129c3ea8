/** One message: sender, recipients, body, attachments and actions. */
import type { Message } from '@waypost/sdk'
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Code } from '../../components/copy.tsx'
import { MessageFrame } from '../../components/message-frame.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { Actions } from './actions.tsx'
import { Files, fileName, filesOf, saveFile, useInlineImages } from './attachments.tsx'
import { type DraftStart, forward, replyTo } from './compose-draft.ts'
import type { ShownFolder } from './folder-tree.ts'
import type { Letter } from './letter.ts'
import { changeMessage, deleteMessage, type Mailbox, useHeaders, useMessage, useSource } from './mail.ts'
import { MailIcon } from './mail-icons.tsx'
import { Initial, People } from './people.tsx'
import { saySize } from './sizes.ts'

const views = [
  ['message', 'Message'],
  ['text', 'Plain text'],
  ['headers', 'Headers'],
  ['source', 'Source'],
] as const
type View = (typeof views)[number][0]

export function Head({ letter, actions }: { letter: Letter; actions: ReactNode }) {
  const rows = [
    ['to', letter.to],
    ['cc', letter.cc],
    ['bcc', letter.bcc],
  ] as const
  return (
    <header className="letter-head">
      <Initial of={letter.from?.[0]} />
      <div className="letter-who">
        <span className="letter-from">
          <People list={letter.from} />
        </span>
        {rows.map(
          ([word, people]) =>
            people !== undefined &&
            people.length > 0 && (
              <span key={word} className="quiet small">
                {word} <People list={people} />
              </span>
            ),
        )}
      </div>
      <div className="letter-side">
        <span className="quiet small">
          <Time at={letter.date} none="" />
        </span>
        {actions}
      </div>
    </header>
  )
}

/** The body of a message with its inline images and attachments. */
export function Body({ mailbox, letter, as }: { mailbox: Mailbox; letter: Letter; as: 'message' | 'text' }) {
  const { images, shownIds } = useInlineImages(mailbox, letter)
  return (
    <>
      <MessageFrame
        key={`${letter.id} ${as}`}
        body={letter.body ?? ''}
        title={`Body of ${letter.subject || 'the message'}`}
        as={as}
        images={images}
      />
      <Files mailbox={mailbox} letter={letter} files={filesOf(letter, shownIds)} />
    </>
  )
}

interface MessageProps {
  mailbox: Mailbox
  folders: readonly ShownFolder[]
  onWrite(begun: DraftStart): void
  onGone(): void
}

function Open({ mailbox, folders, message, onWrite, onGone }: MessageProps & { message: Message }) {
  const [view, setView] = useState<View>('message')
  const name = fileName({ filename: message.subject || 'message', content_type: '', id: '', grant_id: '' })
  const marked = {
    unread: message.unread ?? false,
    starred: message.starred ?? false,
    folders: message.folders ?? [],
  }
  return (
    <>
      <Head
        letter={message}
        actions={
          <Actions
            what="message"
            of={marked}
            folders={folders}
            onChange={(change) => changeMessage(mailbox, message.id, change)}
            onDelete={() => deleteMessage(mailbox, message.id)}
            onGone={onGone}
          />
        }
      />
      <fieldset className="letter-views">
        <legend className="hidden">Message view</legend>
        {views.map(([key, text]) => (
          <button key={key} type="button" aria-pressed={view === key} onClick={() => setView(key)}>
            {text}
          </button>
        ))}
      </fieldset>
      {view === 'headers' && <Headers mailbox={mailbox} id={message.id} />}
      {view === 'source' && <Source mailbox={mailbox} id={message.id} name={name} />}
      {(view === 'message' || view === 'text') && <Body mailbox={mailbox} letter={message} as={view} />}
      {mailbox.sends && (
        <div className="actions">
          <Button small onClick={() => onWrite(replyTo(message, mailbox.address, false))}>
            <MailIcon name="reply" />
            Reply
          </Button>
          <Button small onClick={() => onWrite(replyTo(message, mailbox.address, true))}>
            <MailIcon name="replyAll" />
            Reply to all
          </Button>
          <Button small onClick={() => onWrite(forward(message))}>
            <MailIcon name="forward" />
            Forward
          </Button>
        </div>
      )}
    </>
  )
}

/** A message that is read by id when it is opened. */
export function OpenMessage({ id, ...props }: MessageProps & { id: string }) {
  const message = useMessage(props.mailbox, id)
  return (
    <Loaded query={message} lines={7}>
      {(found) => <Open {...props} message={found} />}
    </Loaded>
  )
}

function Headers({ mailbox, id }: { mailbox: Mailbox; id: string }) {
  const headers = useHeaders(mailbox, id)
  return (
    <Loaded query={headers} lines={6}>
      {(found) => (
        <Code label="Message headers" text={found.map(({ name, value }) => `${name}: ${value}`).join('\n')} />
      )}
    </Loaded>
  )
}

/** Only the beginning of the source is shown; all of it can be downloaded. */
const shownBytes = 200_000

function Source({ mailbox, id, name }: { mailbox: Mailbox; id: string; name: string }) {
  const source = useSource(mailbox, id)
  return (
    <Loaded query={source} lines={8}>
      {(bytes) => (
        <div className="stack">
          <SourceText bytes={bytes} />
          <div className="actions">
            <Button small onClick={() => saveFile(`${name}.eml`, new Blob([bytes]))}>
              <MailIcon name="download" />
              Download ({saySize(bytes.length)})
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  )
}

function SourceText({ bytes }: { bytes: Uint8Array<ArrayBuffer> }) {
  const text = useMemo(() => new TextDecoder().decode(bytes.subarray(0, shownBytes)), [bytes])
  return <Code label="Message source" text={bytes.length > shownBytes ? `${text}\n…` : text} />
}
