/** Attacks in the form in which servers store them: a MIME message, an event of Google, a contact of Google. */
import type { Attack, ContactAttack, EventAttack, MailAttack } from './attack.ts'
import { written } from './attack.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const wrapped = (text: string): string => base64(text).replace(/.{76}/g, '$&\r\n')

/** A text with its orders and the addresses in it. */
function filled(text: string, { orders }: Attack, names: Record<string, string>): string {
  const said = written(orders)
  return text
    .replace(/\$(owner|googleAddress)\b/g, (name, key) => names[key] ?? name)
    .replaceAll('@@base64@@', base64(said))
    .replaceAll('@@', () => said)
}

export function mimeOf(attack: MailAttack, names: Record<string, string>, number: number): string {
  const fill = (text: string): string => filled(text, attack, names)
  const encoded = (text: string): string =>
    /^[\x20-\x7e]*$/.test(text) && text.length < 70 ? text : `=?utf-8?B?${base64(text)}?=`
  const headers: Record<string, string> = {
    From: 'Somebody <somebody@evil.example>',
    To: names.owner ?? '',
    Subject: attack.title,
    Date: 'Tue, 17 Nov 2026 10:00:00 +0000',
    'Message-ID': `<attack-${number}@evil.example>`,
    ...attack.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => {
    const text = fill(value)
    return `${name}: ${name === 'Subject' ? encoded(text) : text}`
  })
  const part = (type: string, text: string, more = ''): string =>
    `Content-Type: ${type}; charset=utf-8${more}\r\nContent-Transfer-Encoding: base64\r\n\r\n${wrapped(fill(text))}\r\n`
  const body = attack.html === undefined ? part('text/plain', attack.text ?? '') : part('text/html', attack.html)
  const head = `${lines.join('\r\n')}\r\nMIME-Version: 1.0\r\n`
  if (!attack.attachment) return head + body
  const { name, content } = attack.attachment
  const file = `; name="file"\r\nContent-Disposition: attachment; filename*=utf-8''${encodeURIComponent(fill(name))}`
  return [
    `${head}Content-Type: multipart/mixed; boundary=cut\r\n\r\n`,
    `--cut\r\n${body}\r\n--cut\r\n${part('text/plain', content, file)}\r\n--cut--\r\n`,
  ].join('')
}

export function googleEventOf(attack: EventAttack, names: Record<string, string>, hour: number) {
  const fill = (text: string): string => filled(text, attack, names)
  const time = (offset: number) => ({
    dateTime: new Date(Date.UTC(2026, 11, 1 + Math.floor(hour / 10), 8 + (hour % 10), offset)).toISOString(),
  })
  return {
    summary: fill(attack.summary ?? attack.title),
    ...(attack.description === undefined ? {} : { description: fill(attack.description) }),
    ...(attack.location === undefined ? {} : { location: fill(attack.location) }),
    start: time(0),
    end: time(30),
    ...(attack.attendees ? { attendees: attack.attendees.map((email) => ({ email: fill(email) })) } : {}),
  }
}

export function googleContactOf(attack: ContactAttack, names: Record<string, string>) {
  const fill = (text: string): string => filled(text, attack, names)
  return {
    names: [{ givenName: fill(attack.name ?? attack.title) }],
    emailAddresses: [{ value: attack.email ?? 'friend@evil.example' }],
    ...(attack.company === undefined ? {} : { organizations: [{ name: fill(attack.company) }] }),
    ...(attack.notes === undefined ? {} : { biographies: [{ value: fill(attack.notes), contentType: 'TEXT_PLAIN' }] }),
  }
}
