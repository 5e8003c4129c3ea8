/** Realistic messages for the mailbox. */
import { deflateSync } from 'node:zlib'

/** A picture of one color. */
export function pictureOf(red: number, green: number, blue: number, size = 48): Buffer {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: size }, () => Buffer.from([red, green, blue]))])
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(checksum(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function checksum(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

export interface LetterParts {
  from: string
  to: string
  subject: string
  id?: string
  answers?: string
  text?: string
  html?: string
  files?: readonly { name: string; type: string; bytes: Buffer; contentId?: string }[]
}

const encoded = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\r\n')

/** The source of a message. */
export function letterOf({ from, to, subject, id, answers, text, html, files = [] }: LetterParts): string {
  const type = html === undefined ? 'text/plain' : 'text/html'
  const body = [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    encoded(html ?? text ?? ''),
  ]
  const head = [
    ...[`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, 'Date: Mon, 02 Nov 2026 09:30:00 +0000'],
    ...(id ? [`Message-ID: <${id}>`] : []),
    ...(answers ? [`In-Reply-To: <${answers}>`, `References: <${answers}>`] : []),
    'MIME-Version: 1.0',
  ]
  if (files.length === 0) return [...head, ...body].join('\r\n')
  const parts = files.map(({ name, type: kind, bytes, contentId }) =>
    [
      `Content-Type: ${kind}; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: ${contentId ? 'inline' : 'attachment'}; filename="${name}"`,
      ...(contentId ? [`Content-ID: <${contentId}>`] : []),
      '',
      encoded(bytes),
    ].join('\r\n'),
  )
  const all = [body.join('\r\n'), ...parts].map((part) => `--edge\r\n${part}\r\n`).join('')
  return [...head, 'Content-Type: multipart/related; boundary="edge"', '', `${all}--edge--`, ''].join('\r\n')
}

/** A newsletter with styles, an inline picture and a remote one. */
export const newsletter = (remote: string): string => `<!doctype html><html><head><style>
  body { margin: 0; background: #eef1f6; font-family: Georgia, serif }
  .sheet { max-width: 560px; margin: 20px auto; background: #ffffff; border-radius: 10px; overflow: hidden }
  .lead { background: #14365c; color: #ffffff; padding: 26px 30px }
  .lead h1 { margin: 0; font-size: 24px }
  .text { padding: 22px 30px; color: #2b3442; line-height: 1.6 }
  .call { display: inline-block; padding: 10px 18px; border-radius: 6px; background: #d9622b; color: #ffffff; text-decoration: none }
  @media (max-width: 480px) { .text { padding: 14px } }
</style></head><body><div class="sheet"><div class="lead"><h1>The lighthouse letter</h1><p style="margin:4px 0 0">November at the coast</p></div>
<div class="text"><p><img src="cid:logo@letter" width="48" height="48" alt="Logo" style="float:left;margin:0 14px 6px 0">Storms are back, and so are our evening walks: every Thursday at five, from the old pier to the light.</p>
<p>Bring a torch. Tea is on us.</p><p><a class="call" href="https://coast.example/walks?id=7">Reserve a place</a></p>
<table width="100%" cellpadding="8" style="border-collapse:collapse;margin-top:14px"><tr style="background:#f3f5f9"><th align="left">Walk</th><th align="left">When</th></tr><tr><td>To the light</td><td>5 November, 17:00</td></tr><tr><td>Round the bay</td><td>12 November, 17:00</td></tr></table>
<p style="color:#8a93a3;font-size:12px">You get this because you walked with us. <img src="${remote}/open.gif" width="1" height="1" alt=""></p></div></div></body></html>`
