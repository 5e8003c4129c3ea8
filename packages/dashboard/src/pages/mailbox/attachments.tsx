/** Attachments of a message with their sizes, downloaded on request. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Attachment } from '@waypost/sdk'
import { messageOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import type { Letter } from './letter.ts'
import { type Mailbox, readAttachment } from './mail.ts'
import { MailIcon } from './mail-icons.tsx'
import { saySize } from './sizes.ts'

/** Saves a file as a download without opening it. */
export function saveFile(name: string, bytes: Blob): void {
  // The declared type is ignored, so that the browser saves the file instead of showing it.
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A file name without characters that are special to file systems. */
export const fileName = ({ filename, content_type }: Attachment): string =>
  (filename ?? '').replaceAll(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '_').slice(0, 200) ||
  `attachment.${content_type.split(/[/;]/)[1]?.replaceAll(/[^\w-]/g, '') || 'bin'}`

function File({ mailbox, message, attachment }: { mailbox: Mailbox; message: string; attachment: Attachment }) {
  const name = fileName(attachment)
  const fetching = useMutation({
    mutationFn: () => readAttachment(mailbox, message, attachment),
    onSuccess: (bytes) => saveFile(name, bytes),
  })
  return (
    <li className="mail-file">
      <MailIcon name="clip" />
      <span className="mail-file-name">
        <bdi>{name}</bdi>
        <span className="quiet small">{attachment.size === undefined ? '' : saySize(attachment.size)}</span>
        {fetching.error && (
          <span className="problem" role="alert">
            {messageOf(fetching.error)}
          </span>
        )}
      </span>
      <Button
        small
        kind="plain"
        busy={fetching.isPending}
        aria-label={`Download ${name}`}
        title="Download"
        onClick={() => fetching.mutate()}
      >
        <MailIcon name="download" />
      </Button>
    </li>
  )
}

/** Attachments that are not shown inside the text. */
export const filesOf = (letter: Letter, shownIds: ReadonlySet<string>): Attachment[] =>
  (letter.attachments ?? []).filter(({ content_id }) => content_id === undefined || !shownIds.has(bareId(content_id)))

export function Files({ mailbox, letter, files }: { mailbox: Mailbox; letter: Letter; files: readonly Attachment[] }) {
  if (files.length === 0) return null
  return (
    <ul className="mail-files" aria-label="Attachments">
      {files.map((attachment) => (
        <File key={attachment.id} mailbox={mailbox} message={letter.id} attachment={attachment} />
      ))}
    </ul>
  )
}

const bareId = (id: string): string => id.replace(/^<|>$/g, '')
/** Maximum total size of inline images loaded with the text. */
const maxInlineBytes = 15_000_000
const images = /^image\/(?:png|gif|jpe?g|webp|avif|bmp)\b/i

/** Inline images of a text by content id. */
export function inlineImagesOf({ body = '', attachments = [] }: Letter): Map<string, Attachment> {
  const shown = new Map<string, Attachment>()
  let bytes = 0
  for (const attachment of attachments) {
    const id = bareId(attachment.content_id ?? '')
    if (id === '' || !images.test(attachment.content_type) || !body.includes(`cid:${id}`)) continue
    bytes += attachment.size ?? 0
    if (bytes <= maxInlineBytes) shown.set(id, attachment)
  }
  return shown
}

export function useInlineImages(mailbox: Mailbox, letter: Letter) {
  const wanted = inlineImagesOf(letter)
  const { data } = useQuery({
    queryKey: ['mail', mailbox.application, mailbox.grant, 'images', letter.id],
    enabled: wanted.size > 0,
    staleTime: Infinity,
    queryFn: async () => {
      const found = Array.from(wanted, async ([id, attachment]) => {
        const bytes = await readAttachment(mailbox, letter.id, attachment).catch(() => undefined)
        return bytes ? ([[id, bytes]] as const) : []
      })
      return new Map((await Promise.all(found)).flat())
    },
  })
  return { images: data, shownIds: new Set(wanted.keys()) }
}
