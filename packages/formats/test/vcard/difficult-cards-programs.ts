/** Cards of version 3 as programs write them: Evolution, KAddressBook, Thunderbird, Nextcloud, Google, Outlook, Android. */
import { type DifficultCard, three } from './cards.ts'

export const programCards: DifficultCard[] = [
  {
    what: 'Evolution',
    text: three(`
X-EVOLUTION-FILE-AS:Doe\\, John
FN:John Doe
N:Doe;John;;;
ORG:ACME;R&D;Room 1
X-EVOLUTION-MANAGER:Ann
X-EVOLUTION-ASSISTANT:Bob
X-EVOLUTION-OFFICE:B 12
X-EVOLUTION-SPOUSE:Eve
X-MOZILLA-HTML:FALSE
EMAIL;X-EVOLUTION-UI-SLOT=1;TYPE=WORK:john@acme.test
TEL;X-EVOLUTION-UI-SLOT=2;TYPE="WORK,VOICE":1`),
    facts: {
      manager_name: 'Ann',
      office_location: 'B 12',
      company_name: 'ACME',
      emails: [{ email: 'john@acme.test', type: 'work' }],
      phone_numbers: [{ number: '1', type: 'work' }],
    },
    change: {
      fields: { office_location: 'C 1', manager_name: 'Zoe' },
      gone: ['X-EVOLUTION-OFFICE:B 12', 'X-EVOLUTION-MANAGER:Ann'],
      come: ['X-EVOLUTION-OFFICE:C 1', 'X-EVOLUTION-MANAGER:Zoe'],
    },
  },
  {
    what: 'KAddressBook',
    text: three(`
FN:Kay Dee
N:Dee;Kay;;;
X-KADDRESSBOOK-X-ManagersName:Boss
X-KADDRESSBOOK-X-Office:42
X-KADDRESSBOOK-BlogFeed:https://blog.test
X-CRYPTOENCRYPTPREF:askWhenPossible
X-SKYPE:kay`),
    facts: { manager_name: 'Boss', office_location: '42', im_addresses: [{ im_address: 'kay', type: 'skype' }] },
    change: {
      fields: { office_location: null },
      gone: ['X-KADDRESSBOOK-X-Office:42'],
    },
  },
  {
    what: 'Nextcloud with categories',
    text: three(`
PRODID:-//Sabre//Sabre VObject 4.4.1//EN
UID:2f6b1b5e-0a3f-4a59-a5cf-2f3c7f8b0a11
FN:Nex T. Cloud
N:Cloud;Nex;T.;;
ADR;TYPE=HOME:;;;;;;
EMAIL;TYPE=HOME:nex@cloud.test
TEL;TYPE="HOME,VOICE":
CATEGORIES:Family,Chess club
REV;VALUE=DATE-AND-OR-TIME:20231008T145330Z`),
    facts: {
      categories: ['Family', 'Chess club'],
      physical_addresses: [],
      phone_numbers: [],
      middle_name: 'T.',
      uid: '2f6b1b5e-0a3f-4a59-a5cf-2f3c7f8b0a11',
    },
    change: {
      fields: { categories: ['Family', 'Chess club', 'Work, new'] },
      gone: ['CATEGORIES:Family,Chess club', 'REV;VALUE=DATE-AND-OR-TIME:20231008T145330Z'],
      come: ['CATEGORIES:Family,Chess club,Work\\, new', 'REV;VALUE=DATE-AND-OR-TIME:20260101T000000Z'],
    },
  },
  {
    what: 'Google takeout',
    text: three(`
FN:Goo Gle
N:Gle;Goo;;;
EMAIL;TYPE=INTERNET:goo@gle.test
EMAIL;TYPE=INTERNET;TYPE=WORK:work@gle.test
item1.TEL:+1 234
item1.X-ABLabel:
item2.URL:http\\://www.google.test/profiles/1
item2.X-ABLabel:PROFILE
item3.X-ABDATE:2000-01-01
item3.X-ABLabel:_$!<Anniversary>!$_
CATEGORIES:myContacts,starred`),
    facts: {
      emails: [{ email: 'goo@gle.test' }, { email: 'work@gle.test', type: 'work' }],
      phone_numbers: [{ number: '+1 234' }],
      web_pages: [{ url: 'http://www.google.test/profiles/1', type: 'other' }],
      categories: ['myContacts', 'starred'],
    },
    change: { fields: { phone_numbers: [] }, gone: ['item1.TEL:+1 234', 'item1.X-ABLabel:'] },
  },
  {
    what: 'Outlook',
    text: three(`
N;LANGUAGE=en-us:Look;Out;;Mr.;III
FN:Mr. Out Look III
X-MS-OL-DEFAULT-POSTAL-ADDRESS:2
X-MS-TEL;TYPE=COMPANY:999
X-MS-MANAGER:Boss
X-MS-OL-DESIGN;CHARSET=utf-8:<card xmlns="http://schemas.microsoft.com/office/outlook/12/electronicbusinesscards" ver="1.0" layout="left"/>
ADR;TYPE=WORK;TYPE=pref:;Room 5;1 Microsoft Way;Redmond;WA;98052;USA
LABEL;TYPE=WORK:1 Microsoft Way\\nRedmond`),
    facts: {
      suffix: 'III',
      display_name: 'Mr. Out Look III',
      physical_addresses: [
        {
          type: 'work',
          street_address: '1 Microsoft Way\nRoom 5',
          city: 'Redmond',
          state: 'WA',
          postal_code: '98052',
          country: 'USA',
        },
      ],
    },
    change: {
      fields: { suffix: null },
      gone: ['N;LANGUAGE=en-us:Look;Out;;Mr.;III', 'FN:Mr. Out Look III'],
      come: ['N;LANGUAGE=en-us:Look;Out;;Mr.;', 'FN:Mr. Out Look'],
    },
  },
  {
    what: 'a street that is given anew takes the place of its parts',
    text: three(`
N:Part;Ad;;;
FN:Ad Part
ADR;TYPE=WORK:PO Box 1;Room 5;1 Way;Town;;;`),
    facts: {
      physical_addresses: [
        {
          type: 'work',
          street_address: '1 Way\nRoom 5\nPO Box 1',
          city: 'Town',
          state: null,
          postal_code: null,
          country: null,
        },
      ],
    },
    change: {
      fields: { physical_addresses: [{ type: 'work', street_address: '2 Way', city: 'Town' }] },
      gone: ['ADR;TYPE=WORK:PO Box 1;Room 5;1 Way;Town;;;'],
      come: ['ADR;TYPE=WORK:;;2 Way;Town;;;'],
    },
  },
  {
    what: 'DAVx5',
    text: three(`
PRODID:DAVx5/4.3 ez-vcard/0.12.1
UID:c0ffee
FN:Dav X
N:X;Dav;;;
davdroid1.TEL:555
davdroid1.X-ABLABEL:Satellite
TEL;TYPE=cell,pref:556
X-PHONETIC-FIRST-NAME:daf`),
    facts: {
      phone_numbers: [
        { number: '556', type: 'mobile' },
        { number: '555', type: 'other' },
      ],
    },
    change: {
      fields: { phone_numbers: [{ number: '556', type: 'mobile' }] },
      gone: ['davdroid1.TEL:555', 'davdroid1.X-ABLABEL:Satellite'],
    },
  },
  {
    what: 'Thunderbird',
    text: three(`
FN:Thun Der
N:Der;Thun;;;
EMAIL;PREF=1:thun@der.test
EMAIL:second@der.test
X-CUSTOM1;VALUE=TEXT:kept
NOTE:One\\nTwo\\, and \\; and \\\\ end`),
    facts: {
      emails: [{ email: 'thun@der.test' }, { email: 'second@der.test' }],
      notes: 'One\nTwo, and ; and \\ end',
    },
    change: {
      fields: { notes: 'a\\b;c,d\ne' },
      gone: ['NOTE:One\\nTwo\\, and \\; and \\\\ end'],
      come: ['NOTE:a\\\\b\\;c\\,d\\ne'],
    },
  },
  {
    what: 'several nicknames',
    text: three(`
N:Nick;;;;
FN:Nick
NICKNAME:Robbie,Rob\\, the`),
    facts: { nickname: 'Robbie, Rob, the' },
    change: { fields: { nickname: 'Bob' }, gone: ['NICKNAME:Robbie,Rob\\, the'], come: ['NICKNAME:Bob'] },
  },
  {
    what: 'names of several parts',
    text: three(`
N:Stevenson;John;Philip,Paul;Dr.;Jr.,M.D.,A.C.P.
FN:Dr. John Philip Paul Stevenson Jr.`),
    facts: { middle_name: 'Philip Paul', suffix: 'Jr. M.D. A.C.P.', given_name: 'John' },
    change: {
      fields: { middle_name: 'P.' },
      gone: ['N:Stevenson;John;Philip,Paul;Dr.;Jr.,M.D.,A.C.P.', 'FN:Dr. John Philip Paul Stevenson Jr.'],
      come: ['N:Stevenson;John;P.;Dr.;Jr.,M.D.,A.C.P.', 'FN:Dr. John P. Stevenson Jr. M.D. A.C.P.'],
    },
  },
  {
    what: 'a shown name that is not that of the parts stays',
    text: three(`
N:Ray;Sugar;;;
FN:The Champ
ORG:Gym`),
    facts: { display_name: 'The Champ' },
    change: { fields: { company_name: 'Ring' }, gone: ['ORG:Gym'], come: ['ORG:Ring'] },
  },
  {
    what: 'somebody who is known by an address alone',
    text: three(`
N:;;;;
FN:only@mail.test
EMAIL:only@mail.test`),
    facts: { display_name: 'only@mail.test' },
    change: {
      fields: { emails: [{ email: 'other@mail.test' }] },
      gone: ['FN:only@mail.test', 'EMAIL:only@mail.test'],
      come: ['FN:other@mail.test', 'EMAIL:other@mail.test'],
    },
  },
  {
    what: 'somebody who gets a name',
    text: three(`
N:;;;;
FN:only@mail.test
EMAIL:only@mail.test`),
    facts: { display_name: 'only@mail.test' },
    change: {
      fields: { given_name: 'Ann' },
      gone: ['N:;;;;', 'FN:only@mail.test'],
      come: ['N:;Ann;;;', 'FN:Ann'],
    },
  },
  {
    what: 'a key, a sound, a logo',
    text: three(`
N:Key;A;;;
FN:A Key
KEY;TYPE=PGP;ENCODING=b:mQENBFabc+/=
SOUND;TYPE=BASIC;ENCODING=b:UklGRg==
LOGO;VALUE=uri:https://logo.test/l.png
GEO:37.386013;-122.082932
TZ:-05:00
CLASS:PRIVATE
MAILER:ccMail 2.2
SORT-STRING:Key`),
    facts: { display_name: 'A Key' },
    change: { fields: { job_title: 'Locksmith' }, come: ['TITLE:Locksmith'] },
  },
  {
    what: 'several titles and notes: the first is shown',
    text: three(`
N:Two;All;;;
FN:All Two
TITLE:First
TITLE:Second
NOTE:One
NOTE:Two`),
    facts: { job_title: 'First', notes: 'One' },
    change: { fields: { job_title: 'Third' }, gone: ['TITLE:First'], come: ['TITLE:Third'] },
  },
  {
    what: 'types in one list, quoted and not',
    text: three(`
N:List;Type;;;
FN:Type List
TEL;TYPE=work,voice,pref:1
TEL;TYPE="home,voice":2
TEL;TYPE=voice;TYPE=cell:3
TEL;type="work";type="fax":4`),
    facts: {
      phone_numbers: [
        { number: '1', type: 'work' },
        { number: '2', type: 'home' },
        { number: '3', type: 'mobile' },
        { number: '4', type: 'other' },
      ],
    },
    change: {
      fields: {
        phone_numbers: [
          { number: '1', type: 'work' },
          { number: '2', type: 'mobile' },
          { number: '3', type: 'mobile' },
          { number: '4', type: 'other' },
        ],
      },
      gone: ['TEL;TYPE="home,voice":2'],
      come: ['TEL;TYPE=voice,CELL:2'],
    },
  },
  {
    what: 'the same address twice',
    text: three(`
N:Twice;Mail;;;
FN:Mail Twice
EMAIL;TYPE=HOME:same@mail.test
EMAIL;TYPE=WORK:same@mail.test`),
    facts: {
      emails: [
        { email: 'same@mail.test', type: 'home' },
        { email: 'same@mail.test', type: 'work' },
      ],
    },
    change: {
      fields: { emails: [{ email: 'same@mail.test', type: 'work' }] },
      gone: ['EMAIL;TYPE=HOME:same@mail.test'],
    },
  },
  {
    what: 'values between others',
    text: three(`
N:Mixed;All;;;
EMAIL:a@mail.test
TEL:1
EMAIL:b@mail.test
URL:https://b.test
EMAIL:c@mail.test
FN:All Mixed`),
    facts: { emails: [{ email: 'a@mail.test' }, { email: 'b@mail.test' }, { email: 'c@mail.test' }] },
    change: {
      fields: { emails: [{ email: 'a@mail.test' }, { email: 'new@mail.test' }, { email: 'c@mail.test' }] },
      gone: ['EMAIL:b@mail.test'],
      come: ['EMAIL:new@mail.test'],
    },
  },
  {
    what: 'an address of mail with a name',
    text: three(`
N:Mail;To;;;
FN:To Mail
EMAIL;TYPE=INTERNET:mailto:to@mail.test
EMAIL;TYPE=X400:/c=de/s=mail`),
    facts: { emails: [{ email: 'to@mail.test' }, { email: '/c=de/s=mail' }] },
  },
  {
    what: 'web addresses with commas and semicolons',
    text: three(`
N:Web;A;;;
FN:A Web
URL:https://web.test/a;b,c?d=e
URL;TYPE=WORK:web.test`),
    facts: { web_pages: [{ url: 'https://web.test/a;b,c?d=e' }, { url: 'web.test', type: 'work' }] },
    change: {
      fields: { web_pages: [{ url: 'https://web.test/a;b,c?d=e' }, { url: 'https://new.test/x;y', type: 'work' }] },
      gone: ['URL;TYPE=WORK:web.test'],
      come: ['URL;TYPE=WORK:https://new.test/x;y'],
    },
  },
  {
    what: 'a long line that is folded in many ways',
    text: three(`
N:Fold;Long;;;
FN:Long 
 Fold
NOTE:first
	 second
  third`),
    facts: { display_name: 'Long Fold', notes: 'first second third' },
    change: {
      fields: { notes: `${'word '.repeat(40)}end` },
      gone: ['NOTE:first second third'],
      come: [`NOTE:${'word '.repeat(40)}end`],
    },
  },
  {
    what: 'a UID that is no UUID',
    text: three(`
UID:http://example.test/people/1
N:Uid;Odd;;;
FN:Odd Uid`),
    facts: { uid: 'http://example.test/people/1' },
    change: { fields: { categories: ['A'] }, come: ['CATEGORIES:A'] },
  },
  {
    what: 'the last category goes',
    text: three(`
N:Cat;;;;
FN:Cat
CATEGORIES:Only`),
    facts: { categories: ['Only'] },
    change: { fields: { categories: [] }, gone: ['CATEGORIES:Only'] },
  },
  {
    what: 'right to left',
    text: three(`
N:כהן;דוד;;;
FN:דוד כהן
NOTE:שלום`),
    facts: { given_name: 'דוד', surname: 'כהן', notes: 'שלום' },
    change: { fields: { surname: 'לוי' }, gone: ['N:כהן;דוד;;;', 'FN:דוד כהן'], come: ['N:לוי;דוד;;;', 'FN:דוד לוי'] },
  },
  {
    what: 'nobody at all',
    text: three(`
N:;;;;
FN:`),
    facts: { display_name: '', given_name: null },
    change: { fields: { nickname: 'X' }, gone: ['FN:'], come: ['FN:X', 'NICKNAME:X'] },
  },
]
