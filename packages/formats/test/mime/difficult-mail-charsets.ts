// Charsets, transfer encodings and encoded words.
import type { DifficultMail } from './difficult-mail.ts'
import { base64Lines, bytes, difficult, lines, mail, part, parts, wellFormed } from './making-mail.ts'

/** A text part in a charset, its bytes in hexadecimal. */
const inCharset = (charset: string, hex: string, text: string): DifficultMail =>
  wellFormed(
    `text in ${charset}`,
    () =>
      mail(
        ['Subject: charset', `Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: 8bit'],
        Buffer.from(hex, 'hex'),
      ),
    { subject: 'charset', text },
  )

const subject = (name: string, value: string, decoded: string): DifficultMail =>
  wellFormed(name, () => mail([`Subject: ${value}`], 'x'), { subject: decoded, text: 'x' })

export const charsetMail: readonly DifficultMail[] = [
  inCharset('utf-8', '6772c3bcc39f6520e282ac20f09f9880', 'grüße € 😀'),
  inCharset('iso-8859-1', '6361e9', 'caé'),
  inCharset('windows-1252', '80209366e994', '€ “fé”'),
  inCharset('windows-1251', 'cff0e8e2e5f2', 'Привет'),
  inCharset('windows-1250', '8e6c7c9d', 'Žl|ť'),
  inCharset('windows-1253', 'c5ebebdce4e1', 'Ελλάδα'),
  inCharset('windows-1256', 'c7e1d3e1c7e3', 'السلام'),
  inCharset('koi8-r', 'f0d2c9d7c5d4', 'Привет'),
  inCharset('gb18030', 'c4e3bac3', '你好'),
  inCharset('gb2312', 'c4e3bac3', '你好'),
  inCharset('big5', 'a741a66e', '你好'),
  inCharset('shift_jis', '82b182f182c982bf82cd', 'こんにちは'),
  inCharset('euc-jp', 'a4b3a4f3a4cba4c1a4cf', 'こんにちは'),
  inCharset('iso-2022-jp', '1b244224332473244b2441244f1b2842', 'こんにちは'),
  inCharset('utf-7', '47722b4150772d6e', 'Grün'),
  inCharset('ibm850', '8194', 'üö'),
  inCharset('cp437', '8194', 'üö'),
  inCharset('iso-8859-15', 'a4', '€'),
  inCharset('utf-16le', '48006900', 'Hi'),
  difficult(
    'a charset that does not exist, over UTF-8',
    () => mail(['Subject: x', 'Content-Type: text/plain; charset=x-unknown'], Buffer.from('grün')),
    { text: 'grün' },
  ),
  difficult(
    'a charset that does not exist, over Latin-1',
    () => mail(['Subject: x', 'Content-Type: text/plain; charset="x-made-up"'], 'gr\xfcn'),
    { text: 'grün' },
  ),
  difficult('no charset, over Latin-1', () => mail(['Subject: x'], 'gr\xfcn'), { text: 'grün' }),
  difficult(
    'ASCII declared, UTF-8 sent',
    () => mail(['Subject: x', 'Content-Type: text/plain; charset=us-ascii'], Buffer.from('grün')),
    { text: 'grün' },
  ),
  difficult(
    'HTML that names its charset itself',
    () =>
      mail(
        ['Subject: x', 'Content-Type: text/html'],
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head>\xcf\xf0</html>',
      ),
    { isHtml: true, snippet: 'Пр' },
  ),
  subject('an encoded word in base64', '=?utf-8?B?R3LDvMOfZQ==?=', 'Grüße'),
  subject('an encoded word in Q', '=?iso-8859-1?Q?Gr=FC=DFe_an_alle?=', 'Grüße an alle'),
  subject('encoded words with plain text around them', 'Re: =?utf-8?q?caf=C3=A9?= now', 'Re: café now'),
  subject('encoded words that fold', '=?utf-8?q?caf=C3=A9?=\r\n =?utf-8?q?_au_lait?=', 'café au lait'),
  subject('a character split over two words in base64', '=?utf-8?B?4g==?= =?utf-8?B?gqw=?=', '€'),
  subject('a character split over two words in Q', '=?utf-8?Q?=E2=82?= =?utf-8?Q?=AC?=', '€'),
  difficult(
    'a character split over a word in Q and one in base64',
    () => mail(['Subject: =?utf-8?Q?=E2=82?= =?utf-8?B?rA==?='], 'x'),
    {
      subject: '€',
    },
  ),
  subject('an encoded word in iso-2022-jp', '=?iso-2022-jp?B?GyRCJDMkcxsoQg==?=', 'こん'),
  subject('an encoded word with a language', '=?utf-8*en?Q?caf=C3=A9?=', 'café'),
  difficult('an encoded word with bare question marks', () => mail(['Subject: =?utf-8?Q?what??='], 'x'), {
    subject: 'what?',
  }),
  difficult('an encoded word with blanks in it', () => mail(['Subject: =?utf-8?Q?caf=C3=A9 now?='], 'x'), {
    subject: 'café now',
  }),
  difficult('an encoded word that never ends', () => mail(['Subject: =?utf-8?Q?caf=C3=A9 =?utf-8?Q?b?='], 'x'), {
    subject: '=?utf-8?Q?caf=C3=A9 b',
  }),
  difficult('an encoded word in a charset nobody knows', () => mail(['Subject: =?x-none?Q?caf=C3=A9?='], 'x'), {
    subject: 'café',
  }),
  difficult('a subject in bare UTF-8', () => bytes('Subject: ', Buffer.from('grün'), '\r\n\r\nx'), { subject: 'grün' }),
  difficult('a subject in bare Latin-1', () => bytes('Subject: gr\xfcn\r\n\r\nx'), { subject: 'grün' }),
  wellFormed(
    'text in quoted-printable',
    () =>
      mail(
        ['Subject: x', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
        lines('caf=C3=A9 =', 'au lait=20', 'a=3Db'),
      ),
    { text: 'café au lait \na=b' },
  ),
  difficult(
    'quoted-printable with escapes that are none',
    () => mail(['Subject: x', 'Content-Transfer-Encoding: quoted-printable'], '100=% a=zz =e4=\r\nb =   \r\nc='),
    { text: '100=% a=zz äb c' },
  ),
  wellFormed(
    'text in base64',
    () =>
      mail(
        ['Subject: x', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: BASE64'],
        base64Lines('grüße\r\nzwei'),
      ),
    { text: 'grüße\nzwei' },
  ),
  difficult(
    'base64 in pieces that were padded alone',
    () =>
      mail(
        ['Subject: x', 'Content-Transfer-Encoding: base64'],
        `${btoa('hello')}\r\n${btoa('world')}\r\n!!${btoa('again')}`,
      ),
    { text: 'helloworldagain' },
  ),
  difficult(
    'text that claims to be base64',
    () => mail(['Subject: x', 'Content-Transfer-Encoding: base64'], 'Hello, this is plain text, you see.'),
    { text: 'Hello, this is plain text, you see.' },
  ),
  wellFormed(
    'flowed text',
    () =>
      mail(
        ['Subject: x', 'Content-Type: text/plain; charset=utf-8; format=flowed'],
        lines('A paragraph that ', 'goes on.', ' > stuffed', 'next', '-- ', 'Ann'),
      ),
    { text: 'A paragraph that goes on.\n> stuffed\nnext\n-- \nAnn' },
  ),
  difficult(
    'flowed text with quotes, blanks deleted',
    () =>
      mail(
        ['Subject: x', 'Content-Type: text/plain; format=flowed; delsp=yes'],
        lines('> quo ', '> ted', '>> deep', 'own'),
      ),
    { text: '> quoted\n>> deep\nown' },
  ),
  wellFormed(
    'file names in RFC 2231 with continuations',
    () =>
      mail(
        ['Subject: x', 'Content-Type: multipart/mixed; boundary=b'],
        parts(
          'b',
          part(['Content-Type: text/plain'], 'see file'),
          part(
            [
              'Content-Type: application/pdf',
              'Content-Disposition: attachment; filename*0*=utf-8\'\'Gr%C3%BC%C3%9Fe;\r\n filename*1*=%20an;\r\n filename*2=" alle.pdf"',
            ],
            'pdf',
          ),
        ),
      ),
    { text: 'see file', attachments: [{ part: '2', type: 'application/pdf', filename: 'Grüße an alle.pdf', size: 3 }] },
  ),
  wellFormed(
    'a file name in RFC 2231 in Latin-1',
    () =>
      mail(
        ['Subject: x', 'Content-Type: multipart/mixed; boundary=b'],
        parts(
          'b',
          part(['Content-Type: text/plain'], 'see file'),
          part(
            ['Content-Type: image/png', "Content-Disposition: attachment; filename*=iso-8859-1'de'Gr%FC%DFe.png"],
            'png',
          ),
        ),
      ),
    { attachments: [{ part: '2', type: 'image/png', filename: 'Grüße.png', size: 3 }] },
  ),
  difficult(
    'a file name in encoded words',
    () =>
      mail(
        ['Subject: x', 'Content-Type: multipart/mixed; boundary=b'],
        parts(
          'b',
          part(['Content-Type: text/plain'], 'see file'),
          part(
            ['Content-Type: image/png; name="=?utf-8?Q?Gr=C3=BC=C3=9Fe.png?="', 'Content-Disposition: attachment'],
            'png',
          ),
        ),
      ),
    { attachments: [{ part: '2', type: 'image/png', filename: 'Grüße.png', disposition: 'attachment' }] },
  ),
]
