/** Cards that break the rules: the readable part is parsed, and nothing is lost. */
import { cardText, type DifficultCard, three } from './cards.ts'

const lf = (text: string): string => text.replaceAll('\r\n', '\n')

export const brokenCards: DifficultCard[] = [
  {
    what: 'version 3 without N, which servers would refuse',
    text: three('FN:No Name'),
    facts: { display_name: 'No Name', surname: null },
    change: { fields: { notes: 'n' }, come: ['N:;;;;', 'NOTE:n'] },
  },
  {
    what: 'no version',
    text: cardText('BEGIN:VCARD\nN:No;Version;;;\nFN:Version No\nEND:VCARD\n'),
    facts: { given_name: 'Version' },
  },
  {
    what: 'a version that there is not',
    text: three('N:Five;;;;\nFN:Five').replace('3.0', '5.0'),
    facts: { surname: 'Five' },
  },
  {
    what: 'line ends of Unix',
    text: lf(three('N:Unix;;;;\nFN:Unix\nNOTE:long\n er')),
    facts: { notes: 'longer' },
    change: { fields: { given_name: 'A' }, gone: ['N:Unix;;;;', 'FN:Unix'], come: ['N:Unix;A;;;', 'FN:A Unix'] },
  },
  {
    what: 'mixed line ends',
    text: 'BEGIN:VCARD\r\nVERSION:3.0\nN:Mix;;;;\r\nFN:Mix\nEND:VCARD\r\n',
    facts: { surname: 'Mix' },
    change: { fields: { notes: 'n' }, come: ['NOTE:n'] },
  },
  {
    what: 'doubled carriage returns',
    text: 'BEGIN:VCARD\r\r\nVERSION:3.0\r\r\nN:Double;;;;\r\r\nFN:Double\r\r\nEND:VCARD\r\r\n',
    facts: { surname: 'Double' },
  },
  {
    what: 'no line end at the end',
    text: three('N:End;No;;;\nFN:No End').trimEnd(),
    facts: { surname: 'End' },
    change: { fields: { notes: 'n' }, come: ['NOTE:n'] },
  },
  {
    what: 'no end',
    text: 'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Cut;;;;\r\nFN:Cut',
    facts: { surname: 'Cut', display_name: 'Cut' },
    change: { fields: { notes: 'n' }, come: ['NOTE:n'] },
  },
  { what: 'a byte order mark', text: `\ufeff${three('N:Mark;;;;\nFN:Mark')}`, facts: { surname: 'Mark' } },
  { what: 'empty lines', text: three('N:Empty;;;;\n\n\nFN:Empty\n'), facts: { display_name: 'Empty' } },
  {
    what: 'lines that are none',
    text: three('N:Junk;;;;\nthis is no line\nFN:Junk\n=====\n:value\n;;;'),
    facts: { display_name: 'Junk' },
    change: { fields: { job_title: 't' }, come: ['TITLE:t'] },
  },
  {
    what: 'names in small letters',
    text: cardText(
      'begin:vcard\nversion:3.0\nn:small;letters;;;\nfn:letters small\nemail;type=work:s@mail.test\nend:vcard\n',
    ),
    facts: { surname: 'small', emails: [{ email: 's@mail.test', type: 'work' }] },
    change: { fields: { emails: [] }, gone: ['email;type=work:s@mail.test'] },
  },
  {
    what: 'two cards in one text',
    text: `${three('N:One;;;;\nFN:One')}${three('N:Two;;;;\nFN:Two')}`,
    facts: { display_name: 'One' },
    change: { fields: { notes: 'n' }, come: ['NOTE:n'] },
  },
  {
    what: 'N with too few and too many parts',
    text: three('N:Few\nFN:Few'),
    facts: { surname: 'Few', given_name: null },
    change: { fields: { suffix: 'Jr.' }, gone: ['N:Few', 'FN:Few'], come: ['N:Few;;;;Jr.', 'FN:Few Jr.'] },
  },
  { what: 'too many parts', text: three('N:A;B;C;D;E;F;G\nFN:A'), facts: { suffix: 'E' } },
  {
    what: 'an address with too few parts',
    text: three('N:A;;;;\nFN:A\nADR:;;Street'),
    facts: {
      physical_addresses: [
        { type: 'other', street_address: 'Street', city: null, state: null, postal_code: null, country: null },
      ],
    },
  },
  {
    what: 'empty values',
    text: three('N:;;;;\nFN:E\nEMAIL:\nTEL:\nADR:;;;;;;\nURL:\nIMPP:\nNOTE:\nORG:;;\nBDAY:\nPHOTO:\nCATEGORIES:'),
    facts: {
      emails: [],
      phone_numbers: [],
      physical_addresses: [],
      web_pages: [],
      im_addresses: [],
      notes: null,
      company_name: null,
      birthday: null,
      categories: [],
    },
  },
  {
    what: 'blanks around everything',
    text: three('N: Blank ; Lots ;;;\nFN:  Lots Blank  \nEMAIL: b@mail.test \nTEL;TYPE= WORK : 1 '),
    facts: {
      surname: 'Blank',
      given_name: 'Lots',
      display_name: 'Lots Blank',
      emails: [{ email: 'b@mail.test' }],
      phone_numbers: [{ number: '1', type: 'work' }],
    },
  },
  {
    what: 'a quote that is not closed',
    text: three('N:Quote;;;;\nFN:Quote\nTEL;TYPE="work:1'),
    facts: { display_name: 'Quote' },
  },
  {
    what: 'a colon in a parameter',
    text: three('N:Colon;;;;\nFN:Colon\nEMAIL;X-A="a:b;c":c@mail.test'),
    facts: { emails: [{ email: 'c@mail.test' }] },
  },
  {
    what: 'dates that there are not',
    text: three('N:D;;;;\nFN:D\nBDAY:2023-02-30'),
    facts: { birthday: null },
    change: { fields: { birthday: '2023-02-28' }, gone: ['BDAY:2023-02-30'], come: ['BDAY:2023-02-28'] },
  },
  { what: 'a date of one figure', text: three('N:D;;;;\nFN:D\nBDAY:1980-2-9'), facts: { birthday: '1980-02-09' } },
  { what: 'a date of an American form', text: three('N:D;;;;\nFN:D\nBDAY:12/31/1980'), facts: { birthday: null } },
  {
    what: 'two birthdays',
    text: three('N:D;;;;\nFN:D\nBDAY:none\nBDAY:1980-02-09'),
    facts: { birthday: '1980-02-09' },
  },
  { what: 'a picture that is none', text: three('N:P;;;;\nFN:P\nPHOTO;ENCODING=b:***'), facts: { display_name: 'P' } },
  {
    what: 'a picture at another kind of address',
    text: three('N:P;;;;\nFN:P\nPHOTO;VALUE=uri:cid:part1@mail.test'),
    facts: { display_name: 'P' },
  },
  {
    what: 'codes that are no bytes',
    text: three('N:Q;;;;\nFN;ENCODING=QUOTED-PRINTABLE:100% =ZZ ='),
    facts: { surname: 'Q' },
  },
  {
    what: 'a charset that nobody knows',
    text: three('N;CHARSET=X-NONE;ENCODING=QUOTED-PRINTABLE:=C3=A9;;;;\nFN:x'),
    facts: { surname: 'é' },
  },
  {
    what: 'a name that is folded',
    text: 'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Fold;;;;\r\nF\r\n N:Fold\r\nNO\r\n TE:n\r\nEND:VCARD\r\n',
    facts: { display_name: 'Fold', notes: 'n' },
  },
  {
    what: 'escapes at the end',
    text: three('N:E;;;;\nFN:E\nNOTE:end\\'),
    facts: { notes: 'end\\' },
    change: { fields: { notes: 'x' }, gone: ['NOTE:end\\'], come: ['NOTE:x'] },
  },
  {
    what: 'a version further down',
    text: cardText('BEGIN:VCARD\nN:V;;;;\nFN:V\nBDAY:--0101\nVERSION:4.0\nEND:VCARD\n'),
    facts: { birthday: '0000-01-01' },
    change: { fields: { birthday: '0000-01-02' }, gone: ['BDAY:--0101'], come: ['BDAY:--0102'] },
  },
  {
    what: 'FN before N, and both twice',
    text: three('FN:A\nFN:B\nN:A;;;;\nN:B;;;;'),
    facts: { display_name: 'A', surname: 'A' },
  },
  {
    what: 'a group without a property',
    text: three('N:G;;;;\nFN:G\nitem1.X-ABLabel:Lost\nitem1.:x'),
    facts: { display_name: 'G' },
  },
  {
    what: 'a very long note',
    text: three(`N:L;;;;\nFN:L\nNOTE:${'x'.repeat(20_000)}`),
    facts: { notes: 'x'.repeat(20_000) },
    change: { fields: { notes: null }, gone: [`NOTE:${'x'.repeat(20_000)}`] },
  },
  {
    what: 'letters that no text may hold',
    text: three('N:C;;;;\nFN:C\u0007\u0000\nNOTE:a\u000bb'),
    facts: { surname: 'C' },
    change: { fields: { notes: 'a\u0007b' }, gone: ['NOTE:a\u000bb'], come: ['NOTE:ab'] },
  },
]
