/** Cards as Apple's programs and iCloud write them. */
import { type DifficultCard, png, three } from './cards.ts'

export const appleCards: DifficultCard[] = [
  {
    what: 'labels of the system and of the user',
    text: three(`
PRODID:-//Apple Inc.//iOS 17.0//EN
N:Appleseed;Johnny;;;
FN:Johnny Appleseed
item1.EMAIL;type=INTERNET;type=pref:johnny@fruit.test
item1.X-ABLabel:_$!<Work>!$_
item2.EMAIL;type=INTERNET:seeds@fruit.test
item2.X-ABLabel:Garden
EMAIL;type=INTERNET;type=HOME:home@fruit.test
UID:6f1f4c1e-7d1b-4a35-8d50-1f2ce4b6a001
REV:2024-01-02T03:04:05Z`),
    facts: {
      display_name: 'Johnny Appleseed',
      emails: [
        { email: 'johnny@fruit.test', type: 'work' },
        { email: 'seeds@fruit.test', type: 'other' },
        { email: 'home@fruit.test', type: 'home' },
      ],
    },
    change: {
      fields: {
        emails: [
          { email: 'johnny@fruit.test', type: 'work' },
          { email: 'home@fruit.test', type: 'home' },
        ],
      },
      gone: ['item2.EMAIL;type=INTERNET:seeds@fruit.test', 'item2.X-ABLabel:Garden', 'REV:2024-01-02T03:04:05Z'],
      come: ['REV:2026-01-01T00:00:00Z'],
    },
  },
  {
    what: 'a value that becomes the first takes over that it is preferred',
    text: three(`
N:Two;Mail;;;
FN:Mail Two
EMAIL;type=INTERNET;type=WORK;type=pref:one@mail.test
EMAIL;type=INTERNET;type=HOME:two@mail.test`),
    facts: {
      emails: [
        { email: 'one@mail.test', type: 'work' },
        { email: 'two@mail.test', type: 'home' },
      ],
    },
    change: {
      fields: {
        emails: [
          { email: 'two@mail.test', type: 'home' },
          { email: 'one@mail.test', type: 'work' },
        ],
      },
      gone: ['EMAIL;type=INTERNET;type=WORK;type=pref:one@mail.test', 'EMAIL;type=INTERNET;type=HOME:two@mail.test'],
      come: ['EMAIL;TYPE=INTERNET,HOME,pref:two@mail.test', 'EMAIL;TYPE=INTERNET,WORK:one@mail.test'],
    },
  },
  {
    what: 'a preferred value that stands behind the others is the first',
    text: three(`
N:Later;Pref;;;
FN:Pref Later
TEL;type=HOME;type=VOICE:1
TEL;type=CELL;type=VOICE;type=pref:2`),
    facts: {
      phone_numbers: [
        { number: '2', type: 'mobile' },
        { number: '1', type: 'home' },
      ],
    },
    change: {
      fields: { phone_numbers: [{ number: '2', type: 'mobile' }] },
      gone: ['TEL;type=HOME;type=VOICE:1'],
    },
  },
  {
    what: 'a birthday without its year',
    text: three(`
N:Day;Birth;;;
FN:Birth Day
BDAY;X-APPLE-OMIT-YEAR=1604:1604-08-20`),
    facts: { birthday: '0000-08-20' },
    change: {
      fields: { birthday: '1980-08-20' },
      gone: ['BDAY;X-APPLE-OMIT-YEAR=1604:1604-08-20'],
      come: ['BDAY:1980-08-20'],
    },
  },
  {
    what: 'a birthday that loses its year',
    text: three(`
N:Day;Birth;;;
FN:Birth Day
BDAY;value=date:1980-02-29`),
    facts: { birthday: '1980-02-29' },
    change: {
      fields: { birthday: '0000-02-29' },
      gone: ['BDAY;value=date:1980-02-29'],
      come: ['BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29'],
    },
  },
  {
    what: 'other dates and related people, which the API has no field for',
    text: three(`
N:Kin;Of;;;
FN:Of Kin
item1.X-ABDATE;type=pref:2001-05-06
item1.X-ABLabel:_$!<Anniversary>!$_
item2.X-ABRELATEDNAMES;type=pref:Mother Kin
item2.X-ABLabel:_$!<Mother>!$_
item3.X-ABRELATEDNAMES:The Boss
item3.X-ABLabel:_$!<Manager>!$_`),
    facts: { manager_name: 'The Boss', birthday: null },
    change: {
      fields: { manager_name: null },
      gone: ['item3.X-ABRELATEDNAMES:The Boss', 'item3.X-ABLabel:_$!<Manager>!$_'],
    },
  },
  {
    what: 'a manager beside other kin',
    text: three(`
N:Kin;Of;;;
FN:Of Kin
item1.X-ABRELATEDNAMES:Somebody
item1.X-ABLabel:_$!<Spouse>!$_`),
    facts: { manager_name: null },
    change: {
      fields: { manager_name: 'Ann; Boss' },
      come: ['item2.X-ABRELATEDNAMES:Ann\\; Boss', 'item2.X-ABLabel:_$!<Manager>!$_'],
    },
  },
  {
    what: 'an address with the country that it is written for',
    text: three(`
N:Loop;Infinite;;;
FN:Infinite Loop
item1.ADR;type=WORK;type=pref:;;1 Infinite Loop;Cupertino;CA;95014;United States
item1.X-ABADR:us`),
    facts: {
      physical_addresses: [
        {
          type: 'work',
          street_address: '1 Infinite Loop',
          city: 'Cupertino',
          state: 'CA',
          postal_code: '95014',
          country: 'United States',
        },
      ],
    },
    change: {
      fields: { physical_addresses: [] },
      gone: ['item1.ADR;type=WORK;type=pref:;;1 Infinite Loop;Cupertino;CA;95014;United States', 'item1.X-ABADR:us'],
    },
  },
  {
    what: 'a street of two lines',
    text: three(`
N:Lines;Two;;;
FN:Two Lines
ADR;type=HOME:;;1 First Street\\nSecond Floor;Town;;;`),
    facts: {
      physical_addresses: [
        {
          type: 'home',
          street_address: '1 First Street\nSecond Floor',
          city: 'Town',
          state: null,
          postal_code: null,
          country: null,
        },
      ],
    },
    change: {
      fields: { physical_addresses: [{ type: 'home', street_address: '1 First Street\nSecond Floor', city: 'City' }] },
      gone: ['ADR;type=HOME:;;1 First Street\\nSecond Floor;Town;;;'],
      come: ['ADR;TYPE=HOME:;;1 First Street\\nSecond Floor;City;;;'],
    },
  },
  {
    what: 'messengers that are told twice',
    text: three(`
N:Chat;Ty;;;
FN:Ty Chat
X-JABBER;type=HOME;type=pref:ty@chat.test
IMPP;X-SERVICE-TYPE=Jabber;type=HOME;type=pref:xmpp:ty@chat.test
X-AIM;type=WORK:tychat
IMPP;X-SERVICE-TYPE=AIM;type=WORK:aim:tychat`),
    facts: {
      im_addresses: [
        { im_address: 'ty@chat.test', type: 'jabber' },
        { im_address: 'tychat', type: 'aim' },
      ],
    },
    change: {
      fields: { im_addresses: [{ im_address: 'ty@chat.test', type: 'jabber' }] },
      gone: ['X-AIM;type=WORK:tychat', 'IMPP;X-SERVICE-TYPE=AIM;type=WORK:aim:tychat'],
    },
  },
  {
    what: 'services that have no scheme of their own',
    text: three(`
N:Chat;Ty;;;
FN:Ty Chat
IMPP;X-SERVICE-TYPE=GaduGadu:x-apple:ty%20chat
IMPP;X-SERVICE-TYPE=Facebook;type=pref:xmpp:ty.chat
IMPP:im:plain`),
    facts: {
      im_addresses: [
        { im_address: 'ty.chat', type: 'Facebook' },
        { im_address: 'ty chat', type: 'GaduGadu' },
        { im_address: 'plain' },
      ],
    },
    change: {
      fields: { im_addresses: [] },
      gone: [
        'IMPP;X-SERVICE-TYPE=GaduGadu:x-apple:ty%20chat',
        'IMPP;X-SERVICE-TYPE=Facebook;type=pref:xmpp:ty.chat',
        'IMPP:im:plain',
      ],
    },
  },
  {
    what: 'profiles of social networks, which are kept',
    text: three(`
N:Net;Work;;;
FN:Work Net
X-SOCIALPROFILE;type=twitter:http://twitter.test/work
item1.URL;type=pref:https\\://work.test
item1.X-ABLabel:_$!<HomePage>!$_`),
    facts: { web_pages: [{ url: 'https://work.test', type: 'home' }] },
    change: {
      fields: { web_pages: [{ url: 'https://work.test', type: 'work' }] },
      gone: ['item1.URL;type=pref:https\\://work.test', 'item1.X-ABLabel:_$!<HomePage>!$_'],
      come: ['item1.URL;TYPE=pref,WORK:https://work.test'],
    },
  },
  {
    what: 'a company that is shown as one',
    text: three(`
N:;;;;
FN:Fruit & Co
ORG:Fruit & Co;
X-ABShowAs:COMPANY`),
    facts: { display_name: 'Fruit & Co', company_name: 'Fruit & Co', given_name: null },
    change: {
      fields: { company_name: 'Vegetables, Inc.' },
      gone: ['ORG:Fruit & Co;', 'FN:Fruit & Co'],
      come: ['ORG:Vegetables\\, Inc.;', 'FN:Vegetables\\, Inc.'],
    },
  },
  {
    what: 'a picture that was cropped',
    text: three(`
N:Seen;Well;;;
FN:Well Seen
PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&1&1&abc==;ENCODING=b;TYPE=PNG:${png.slice(0, 30)}
 ${png.slice(30, 70)}
 ${png.slice(70)}`),
    facts: { photo: png },
    change: {
      fields: { picture: null },
      gone: [`PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&1&1&abc==;ENCODING=b;TYPE=PNG:${png}`],
    },
  },
  {
    what: 'a picture at an address',
    text: three(`
N:Seen;Far;;;
FN:Far Seen
PHOTO;VALUE=uri:https://gateway.icloud.test/contacts/ck/card/0a1b`),
    facts: { photo: 'https://gateway.icloud.test/contacts/ck/card/0a1b' },
    change: { fields: { notes: 'Hi' }, come: ['NOTE:Hi'] },
  },
  {
    what: 'a group',
    text: three(`
PRODID:-//Apple Inc.//Mac OS X 10.15.7//EN
N:Friends;;;;
FN:Friends
X-ADDRESSBOOKSERVER-KIND:group
X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:6F1F4C1E-7D1B-4A35-8D50-1F2CE4B6A001
X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:b2
UID:g1`),
    facts: {
      isGroup: true,
      members: ['6f1f4c1e-7d1b-4a35-8d50-1f2ce4b6a001', 'b2'],
      uid: 'g1',
      display_name: 'Friends',
    },
  },
  {
    what: 'an empty group',
    text: three(`
N:Nobody;;;;
FN:Nobody
X-ADDRESSBOOKSERVER-KIND:group
UID:g2`),
    facts: { isGroup: true, members: [] },
  },
  {
    what: 'names as they are spoken',
    text: three(`
N:山田;太郎;;;
FN:山田太郎
X-PHONETIC-FIRST-NAME:タロウ
X-PHONETIC-LAST-NAME:ヤマダ`),
    facts: { given_name: '太郎', surname: '山田', display_name: '山田太郎' },
    change: {
      fields: { given_name: '花子' },
      gone: ['N:山田;太郎;;;', 'FN:山田太郎'],
      come: ['N:山田;花子;;;', 'FN:山田花子'],
    },
  },
  {
    what: 'a maiden name and a phonetic organization',
    text: three(`
N:Married;Name;;;
FN:Name Married
X-MAIDENNAME:Before
X-PHONETIC-ORG:orga
ORG:Orga;Department;Team
TITLE:Lead`),
    facts: { company_name: 'Orga', job_title: 'Lead' },
    change: {
      fields: { company_name: null, job_title: 'Head' },
      gone: ['ORG:Orga;Department;Team', 'TITLE:Lead'],
      come: ['ORG:;Department;Team', 'TITLE:Head'],
    },
  },
  {
    what: 'groups in capitals',
    text: three(`
N:Caps;All;;;
FN:All Caps
ITEM1.TEL:123
item1.X-ABLABEL:_$!<Mobile>!$_`),
    facts: { phone_numbers: [{ number: '123', type: 'mobile' }] },
    change: { fields: { phone_numbers: null }, gone: ['ITEM1.TEL:123', 'item1.X-ABLABEL:_$!<Mobile>!$_'] },
  },
  {
    what: 'two lines that share a label',
    text: three(`
N:Shared;Label;;;
FN:Label Shared
item1.TEL:123
item1.EMAIL:both@mail.test
item1.X-ABLabel:Boat`),
    facts: { phone_numbers: [{ number: '123', type: 'other' }], emails: [{ email: 'both@mail.test', type: 'other' }] },
    change: { fields: { phone_numbers: [] }, gone: ['item1.TEL:123'] },
  },
  {
    what: 'a label that is not closed as Apple closes it',
    text: three(`
N:Label;Odd;;;
FN:Odd Label
item7.TEL:123
item7.X-ABLabel:_$!<Work`),
    facts: { phone_numbers: [{ number: '123', type: 'other' }] },
  },
  {
    what: 'a kind in words of the client',
    text: three(`
N:Word;Own;;;
FN:Own Word
item1.TEL:1
item1.X-ABLabel:Boat`),
    facts: { phone_numbers: [{ number: '1', type: 'other' }] },
    change: {
      fields: {
        phone_numbers: [
          { number: '1', type: 'boat' },
          { number: '2', type: 'cabin' },
        ],
      },
      come: ['item2.TEL:2', 'item2.X-ABLabel:cabin'],
    },
  },
]
