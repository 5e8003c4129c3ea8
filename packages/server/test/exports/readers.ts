/** Readers of exported files that share no code with the exports: Python's `mailbox` and `zipfile`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

function python(program: string, content: Uint8Array): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), 'waypost-export-'))
  try {
    const file = path.join(folder, 'file')
    writeFileSync(file, content)
    const printed = execFileSync('python3', ['-c', program, file], { encoding: 'utf8', maxBuffer: 1 << 28 })
    return JSON.parse(printed)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export interface MboxMessage {
  /** The `From ` line without its first word. */
  envelope: string
  subject: string | null
  skipped: string | null
  /** The bytes after mboxrd quoting is undone. */
  source: Buffer
}

const readMbox = `
import base64, email, json, mailbox, re, sys
box = mailbox.mbox(sys.argv[1])
out = []
for key in box.keys():
    line, content = box.get_bytes(key, from_=True).split(b'\\n', 1)
    # The header alone: the package reads a body line by line.
    message = email.message_from_bytes(re.split(rb'^\\n|\\n\\n', content, 1)[0])
    raw = re.sub(rb'(?m)^>(>*From )', rb'\\1', content)
    out.append({'envelope': line[5:].decode(), 'subject': message['subject'], 'skipped': message['x-waypost-skipped'],
                'source': base64.b64encode(raw).decode()})
print(json.dumps(out))
`

/** The messages of an mbox file. */
export const mboxMessages = (content: Uint8Array): MboxMessage[] =>
  (python(readMbox, content) as (Omit<MboxMessage, 'source'> & { source: string })[]).map((message) => ({
    ...message,
    source: Buffer.from(message.source, 'base64'),
  }))

const readZip = `
import base64, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[info.filename, base64.b64encode(archive.read(info)).decode()] for info in archive.infolist()]))
`

/** The entries of a zip file by name; their checksums are correct. */
export const zipEntries = (content: Uint8Array): Map<string, Buffer> =>
  new Map(
    (python(readZip, content) as [string, string][]).map(
      ([name, text]) => [name, Buffer.from(text, 'base64')] as const,
    ),
  )
