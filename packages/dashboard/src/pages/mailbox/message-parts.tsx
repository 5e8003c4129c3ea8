/** Headers and source of a message. */
import { useMemo } from 'react'
import { Button } from '../../components/button.tsx'
import { Code } from '../../components/copy.tsx'
import { Loaded } from '../../components/states.tsx'
import { saveFile } from './attachments.tsx'
import { type Mailbox, useHeaders, useSource } from './mail.ts'
import { MailIcon } from './mail-icons.tsx'
import { saySize } from './sizes.ts'

export function Headers({ mailbox, id }: { mailbox: Mailbox; id: string }) {
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

export function Source({ mailbox, id, name }: { mailbox: Mailbox; id: string; name: string }) {
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
