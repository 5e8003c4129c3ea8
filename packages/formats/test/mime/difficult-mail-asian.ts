// Charsets that switch alphabets, encoded words that were split in them, and bytes without a declared charset.
import type { DifficultMail } from './difficult-mail.ts'
import { bytes, difficult, lines, mail, part, parts } from './making-mail.ts'

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex')
const word = (charset: string, content: Buffer): string => `=?${charset}?B?${content.toString('base64')}?=`

/** A subject in encoded words of one charset, each given in hexadecimal. */
const words = (name: string, charset: string, pieces: readonly string[], subject: string): DifficultMail =>
  difficult(name, () => mail([`Subject: ${pieces.map((piece) => word(charset, hex(piece))).join('\r\n ')}`], 'x'), {
    subject,
  })

const body = (name: string, headers: readonly string[], content: Buffer, text: string): DifficultMail =>
  difficult(name, () => mail(['Subject: x', ...headers], content), { text })

/** Text and subject in bytes of an undeclared charset. */
const undeclared = (charset: string, digits: string, text: string): DifficultMail =>
  difficult(`${charset} that nothing declares`, () => bytes('Subject: ', hex(digits), '\r\n\r\n', hex(digits)), {
    subject: text,
    text,
  })

export const asianMail: readonly DifficultMail[] = [
  words('iso-2022-jp in words that are whole', 'ISO-2022-JP', ['1b244224331b2842', '1b244224731b2842'], 'こん'),
  words('iso-2022-jp cut between characters', 'iso-2022-jp', ['1b24422433', '24731b2842'], 'こん'),
  words('iso-2022-jp cut within a character', 'iso-2022-jp', ['1b244224', '3324731b2842'], 'こん'),
  words('iso-2022-jp over three words without escapes', 'iso-2022-jp', ['1b24422433', '2473', '244b1b2842'], 'こんに'),
  words('iso-2022-jp that does not end, before a word in ASCII', 'iso-2022-jp', ['1b24422433', '546573740a'], 'こTest'),
  words('half-width katakana in iso-2022-jp', 'iso-2022-jp', ['1b2849433d1b2842'], 'ﾃｽ'),
  words('iso-2022-jp-1 with characters of its second set', 'iso-2022-jp-1', ['1b242844302130221b2842'], '丂丄'),
  words('iso-2022-kr in words that are whole', 'iso-2022-kr', ['1b2429430e3e480f', '1b2429430e33670f'], '안녕'),
  words('iso-2022-kr cut between characters', 'iso-2022-kr', ['1b2429430e3e48', '33670f'], '안녕'),
  words('hz in words that are whole', 'hz-gb-2312', ['7e7b44637e7d', '7e7b3a437e7d'], '你好'),
  words('hz cut within a character', 'hz-gb-2312', ['7e7b44', '633a437e7d'], '你好'),
  words('utf-7 in words that are whole', 'utf-7', ['2b4d45492d', '2b4d454d2d'], 'あぃ'),
  body(
    'text in iso-2022-kr',
    ['Content-Type: text/plain; charset=iso-2022-kr'],
    hex('1b2429430d0a0e3e4833670f21'),
    '안녕!',
  ),
  body('text in hz', ['Content-Type: text/plain; charset=hz-gb-2312'], hex('7e7b44633a437e7d20617e7e'), '你好 a~'),
  body(
    'text in iso-2022-jp with escapes that follow each other',
    ['Content-Type: text/plain; charset=iso-2022-jp'],
    hex('1b244224331b28421b244224731b2842'),
    'こん',
  ),
  body('iso-2022-jp that nothing declares', [], hex('1b244224332473244b2441244f1b284221'), 'こんにちは!'),
  undeclared('GBK', 'b9d8d3dac3f7ccecb5c4bbe1d2e9', '关于明天的会议'),
  undeclared('Big5', 'c3f6a9f3a9faa4d1aabab77cc4b3', '關於明天的會議'),
  undeclared('Shift_JIS', '89ef8b6382cc82a8926d82e782b9', '会議のお知らせ'),
  undeclared('EUC-JP', 'b2f1b5c4a4cea4aac3cea4e9a4bb', '会議のお知らせ'),
  undeclared('EUC-KR', 'c8b8c0c720bec8b3bbc0d4b4cfb4d9', '회의 안내입니다'),
  undeclared('KOI8-R', 'f0d2c9d7c5d420c920d3d0c1d3c9c2cf', 'Привет и спасибо'),
  undeclared('windows-1251', 'c2f1f2f0e5f7e020e7e0e2f2f0e020e22031303a3030', 'Встреча завтра в 10:00'),
  undeclared('windows-1252', '66fc722064696520dc62657277656973756e67', 'für die Überweisung'),
  difficult(
    'a bare subject in the charset that the headers name for the text',
    () => bytes('Subject: ', hex('96f6'), '\r\nContent-Type: text/plain; charset=gbk\r\n\r\nx'),
    { subject: new TextDecoder('gbk').decode(hex('96f6')) },
  ),
  difficult(
    'bytes above 127 within an encoded word',
    () =>
      bytes(
        'Subject: =?gbk?Q?',
        hex('c4e3bac3'),
        '_1?=\r\nFrom: =?windows-1251?Q?',
        hex('cff0e8e2e5f2'),
        '?= <a@example.com>\r\n\r\nx',
      ),
    { subject: '你好 1', from: [{ name: 'Привет', email: 'a@example.com' }] },
  ),
  difficult(
    'bare UTF-8 within an encoded word of another charset',
    () => bytes('Subject: =?iso-8859-1?Q?', Buffer.from('grün'), '?=\r\n\r\nx'),
    { subject: 'grün' },
  ),
  ...['x-uuencode', 'uuencode', 'x-uue'].map((encoding) =>
    difficult(
      `a file in ${encoding}`,
      () =>
        mail(
          ['Subject: x', 'Content-Type: multipart/mixed; boundary=b'],
          parts(
            'b',
            part(['Content-Type: text/plain'], 'see file'),
            part(
              [
                'Content-Type: text/csv; name=a.csv',
                `Content-Transfer-Encoding: ${encoding}`,
                'Content-Disposition: attachment',
              ],
              lines('begin 644 a.csv', '#0V%T', '%:&5L;&\\', '`', 'end'),
            ),
          ),
        ),
      { text: 'see file', attachments: [{ part: '2', type: 'text/csv', filename: 'a.csv', size: 8 }] },
    ),
  ),
  difficult(
    'text in x-uuencode',
    () => mail(['Subject: x', 'Content-Transfer-Encoding: x-uuencode'], lines('begin 644 t', '#0V%T', '`', 'end')),
    { text: 'Cat' },
  ),
]
