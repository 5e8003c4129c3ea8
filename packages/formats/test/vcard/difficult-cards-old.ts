/** Cards of version 2.1, as phones and old programs write them, and their remains in later versions. */
import { cardText, type DifficultCard, gif, old, three } from './cards.ts'

export const oldCards: DifficultCard[] = [
  {
    what: 'quoted-printable in UTF-8',
    text: old(`
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg M=C3=BCller
TEL;CELL:+49 151 1`),
    facts: {
      given_name: 'Jörg',
      surname: 'Müller',
      display_name: 'Jörg Müller',
      phone_numbers: [{ number: '+49 151 1', type: 'mobile' }],
    },
    change: {
      fields: { given_name: 'Jürgen' },
      gone: [
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;',
        'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg M=C3=BCller',
      ],
      come: [
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;',
        'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen M=C3=BCller',
      ],
    },
  },
  {
    what: 'quoted-printable that goes on in the next lines',
    text: old(`
N:Long;Note
FN:Note Long
NOTE;ENCODING=QUOTED-PRINTABLE:This is a rather long note that =
goes on here: with a colon, and =
here too.
TEL;WORK;VOICE:1`),
    facts: {
      notes: 'This is a rather long note that goes on here: with a colon, and here too.',
      phone_numbers: [{ number: '1', type: 'work' }],
    },
    change: {
      fields: { phone_numbers: [{ number: '1', type: 'home' }] },
      gone: ['TEL;WORK;VOICE:1'],
      come: ['TEL;VOICE;HOME:1'],
    },
  },
  {
    what: 'quoted-printable whose next line looks like a property',
    text: old(`
N:Trap;Note
FN:Note Trap
NOTE;QUOTED-PRINTABLE:before=
TEL:not a number=0D=0AEND
TEL:2`),
    facts: { notes: 'beforeTEL:not a number\nEND', phone_numbers: [{ number: '2' }] },
    change: {
      fields: { notes: 'short' },
      gone: ['NOTE;QUOTED-PRINTABLE:before=', 'TEL:not a number=0D=0AEND'],
      come: ['NOTE:short'],
    },
  },
  {
    what: 'quoted-printable with a blank at the beginning of the next line',
    text: old(`
N:Blank;Note
FN:Note Blank
NOTE;ENCODING=QUOTED-PRINTABLE:one=
 two`),
    facts: { notes: 'one two' },
  },
  {
    what: 'a charset that is not Unicode',
    text: old(`
N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Br=E9mond;Ren=E9
FN;CHARSET=windows-1252;ENCODING=QUOTED-PRINTABLE:Ren=E9 =80`),
    facts: { given_name: 'René', surname: 'Brémond', display_name: 'René €' },
    change: {
      fields: { suffix: 'Jr.' },
      gone: [
        'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Br=E9mond;Ren=E9',
        'FN;CHARSET=windows-1252;ENCODING=QUOTED-PRINTABLE:Ren=E9 =80',
      ],
      come: [
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Br=C3=A9mond;Ren=C3=A9;;;Jr.',
        'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ren=C3=A9 Br=C3=A9mond Jr.',
      ],
    },
  },
  {
    what: 'Japanese in Shift_JIS',
    text: old(`
N;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=8ER=93c;=91=BE=98Y
FN;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=8ER=93c=91=BE=98Y`),
    facts: { surname: '山田', given_name: '太郎', display_name: '山田太郎' },
  },
  {
    what: 'line breaks in an address',
    text: old(`
N:Break;Line
FN:Line Break
ADR;WORK;PREF;ENCODING=QUOTED-PRINTABLE:;;1 Street=0D=0AHouse;Town;;1000;Land`),
    facts: {
      physical_addresses: [
        {
          type: 'work',
          street_address: '1 Street\nHouse',
          city: 'Town',
          state: null,
          postal_code: '1000',
          country: 'Land',
        },
      ],
    },
    change: {
      fields: {
        physical_addresses: [
          { type: 'work', street_address: '1 Street\nHouse', city: 'Town', postal_code: '2000', country: 'Land' },
        ],
      },
      gone: ['ADR;WORK;PREF;ENCODING=QUOTED-PRINTABLE:;;1 Street=0D=0AHouse;Town;;1000;Land'],
      come: ['ADR;PREF;WORK;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;;1 Street=0D=0AHouse=', ';Town;;2000;Land'],
    },
  },
  {
    what: 'commas that are not escaped in an address',
    text: old(`
N:Comma;No
FN:No Comma
ADR;HOME:;;12 High Street, Flat 3;York;;YO1;UK`),
    facts: {
      physical_addresses: [
        {
          type: 'home',
          street_address: '12 High Street, Flat 3',
          city: 'York',
          state: null,
          postal_code: 'YO1',
          country: 'UK',
        },
      ],
    },
  },
  {
    what: 'a picture that ends with an empty line',
    text: old(`
N:Seen;Old
FN:Old Seen
PHOTO;GIF;ENCODING=BASE64:
 ${gif.slice(0, 40)}
 ${gif.slice(40)}

TEL:1`),
    facts: { photo: gif, phone_numbers: [{ number: '1' }] },
    change: { fields: { phone_numbers: [] }, gone: ['TEL:1'] },
  },
  {
    what: 'a picture whose lines are not folded',
    text: old(`
N:Seen;Old
FN:Old Seen
PHOTO;TYPE=GIF;ENCODING=BASE64:${gif.slice(0, 40)}
${gif.slice(40)}

TEL:1`),
    facts: { photo: gif, phone_numbers: [{ number: '1' }] },
    change: { fields: { picture: null }, gone: [`PHOTO;TYPE=GIF;ENCODING=BASE64:${gif.slice(0, 40)}`, gif.slice(40)] },
  },
  {
    what: 'a picture in a card of version 3 that is encoded as in version 2.1',
    text: three(`
N:Seen;Mixed;;;
FN:Mixed Seen
PHOTO;ENCODING=BASE64;TYPE=GIF:${gif}`),
    facts: { photo: gif },
  },
  {
    what: 'quoted-printable in a card of version 3',
    text: three(`
N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Ng=E1=BB=8Dc;B=C3=A9;;;
FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:B=C3=A9 Ng=E1=BB=8Dc
NOTE;ENCODING=QUOTED-PRINTABLE:100=25 =3D all=
 of it`),
    facts: { given_name: 'Bé', surname: 'Ngọc', notes: '100% = all of it' },
    change: {
      fields: { notes: 'a, b' },
      gone: ['NOTE;ENCODING=QUOTED-PRINTABLE:100=25 =3D all=', ' of it'],
      come: ['NOTE:a\\, b'],
    },
  },
  {
    what: 'an agent in the card',
    text: old(`
N:Boss;The
FN:The Boss
AGENT:
BEGIN:VCARD
VERSION:2.1
N:Hand;Right
FN:Right Hand
EMAIL:hand@mail.test
END:VCARD
EMAIL;INTERNET:boss@mail.test`),
    facts: { display_name: 'The Boss', emails: [{ email: 'boss@mail.test' }] },
    change: {
      fields: { emails: [{ email: 'new@mail.test' }] },
      gone: ['EMAIL;INTERNET:boss@mail.test'],
      come: ['EMAIL:new@mail.test'],
    },
  },
  {
    what: 'types that are no kind',
    text: old(`
N:Types;Many
FN:Many Types
TEL;PREF;WORK;VOICE:1
TEL;WORK;FAX:2
TEL;PAGER:3
TEL;CAR:4
TEL;VOICE:5
TEL;CELL;HOME:6`),
    facts: {
      phone_numbers: [
        { number: '1', type: 'work' },
        { number: '2', type: 'other' },
        { number: '3', type: 'other' },
        { number: '4', type: 'other' },
        { number: '5' },
        { number: '6', type: 'mobile' },
      ],
    },
    change: {
      fields: { phone_numbers: [{ number: '1', type: 'work' }, { number: '2', type: 'other' }, { number: '5' }] },
      gone: ['TEL;PAGER:3', 'TEL;CAR:4', 'TEL;CELL;HOME:6'],
    },
  },
  {
    what: 'older properties of messengers',
    text: old(`
N:Chat;Old
FN:Old Chat
X-ICQ:12345
X-MSN;HOME:old@msn.test
X-SKYPE-USERNAME:old.chat
X-QQ:777`),
    facts: {
      im_addresses: [
        { im_address: '12345', type: 'icq' },
        { im_address: 'old@msn.test', type: 'msn' },
        { im_address: 'old.chat', type: 'skype' },
        { im_address: '777', type: 'qq' },
      ],
    },
    change: {
      fields: {
        im_addresses: [
          { im_address: '12345', type: 'icq' },
          { im_address: 'old@msn.test', type: 'msn' },
          { im_address: 'old.chat', type: 'skype' },
        ],
      },
      gone: ['X-QQ:777'],
    },
  },
  {
    what: 'line ends of Unix',
    text: cardText(
      'BEGIN:VCARD\nVERSION:2.1\nN:Unix;Line\nFN:Line Unix\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\nb\nEND:VCARD\n',
      '\n',
    ),
    facts: { notes: 'ab', given_name: 'Line' },
    change: { fields: { job_title: 'Admin' }, come: ['TITLE:Admin'] },
  },
  {
    what: 'a label of an address, which is kept',
    text: old(`
N:Label;Ad
FN:Ad Label
ADR;HOME:;;Way 1;Town;;;
LABEL;HOME;ENCODING=QUOTED-PRINTABLE:Way 1=0D=0ATown`),
    facts: {
      physical_addresses: [
        { type: 'home', street_address: 'Way 1', city: 'Town', state: null, postal_code: null, country: null },
      ],
    },
    change: { fields: { physical_addresses: [] }, gone: ['ADR;HOME:;;Way 1;Town;;;'] },
  },
  {
    what: 'a birthday with a time',
    text: old(`
N:Day;Birth
FN:Birth Day
BDAY:19800229T000000Z`),
    facts: { birthday: '1980-02-29' },
    change: { fields: { birthday: null }, gone: ['BDAY:19800229T000000Z'] },
  },
  {
    what: 'a note with a backslash that escapes nothing',
    text: old(`
N:Slash;Back
FN:Back Slash
NOTE:C:\\Users\\back; and \\; more`),
    facts: { notes: 'C:\\Users\\back; and ; more' },
  },
]
