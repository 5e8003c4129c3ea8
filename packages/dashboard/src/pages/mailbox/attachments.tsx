/** The files that a message carries: told with their size, and fetched when somebody wants one. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Attachment } from '@waypost/sdk'
import { messageOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import type { Letter } from './letter.ts'
import { type Mailbox, readAttachment } from './mail.ts'
import { MailIcon } from './mail-icons.tsx'
import { saySize } from './sizes.ts'

/** Hands a file to the browser, which keeps it under its name and opens nothing. */
export function keepFile(name: string, bytes: Blob): void {
  // Whatever the message says of its type: the browser is to keep it, not to show it.
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A name that means nothing to a file system. */
export const fileName = ({ filename, content_type }: Attachment): string =>
  (filename ?? '').replaceAll(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '_').slice(0, 200) ||
  `attachment.${content_type.split(/[/;]/)[1]?.replaceAll(/[^\w-]/g, '') || 'bin'}`

function File({ mailbox, message, attachment }: { mailbox: Mailbox; message: string; attachment: Attachment }) {
  const name = fileName(attachment)
  const fetching = useMutation({
    mutationFn: () => readAttachment(mailbox, message, attachment),
    onSuccess: (bytes) => keepFile(name, bytes),
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

/** Those that are no part of the text. */
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
/** The most bytes of images within a text that are fetched with it. */
const mostInline = 15_000_000
const images = /^image\/(?:png|gif|jpe?g|webp|avif|bmp)\b/i

/** The images that a text shows itself, by their content ids. */
export function inlineImagesOf({ body = '', attachments = [] }: Letter): Map<string, Attachment> {
  const shown = new Map<string, Attachment>()
  let bytes = 0
  for (const attachment of attachments) {
    const id = bareId(attachment.content_id ?? '')
    if (id === '' || !images.test(attachment.content_type) || !body.includes(`cid:${id}`)) continue
    bytes += attachment.size ?? 0
    if (bytes <= mostInline) shown.set(id, attachment)
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
