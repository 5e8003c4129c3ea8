/** Cards of version 4 (RFC 6350). */
import { type DifficultCard, four, png } from './cards.ts'

export const fourCards: DifficultCard[] = [
  {
    what: 'the example of the standard, more or less',
    text: four(`
FN:Simon Perreault
N:Perreault;Simon;;;ing. jr,M.Sc.
BDAY:--0203
ANNIVERSARY:20090808T1430-0500
GENDER:M
LANG;PREF=1:fr
LANG;PREF=2:en
ORG;TYPE=work:Viagenie
ADR;TYPE=work:;Suite D2-630;2875 Laurier;Quebec;QC;G1V 2M2;Canada
TEL;VALUE=uri;TYPE="work,voice";PREF=1:tel:+1-418-656-9254;ext=102
TEL;VALUE=uri;TYPE="work,cell,voice,video,text":tel:+1-418-262-6501
EMAIL;TYPE=work:simon.perreault@viagenie.test
GEO;TYPE=work:geo:46.772673,-71.282945
KEY;TYPE=work;VALUE=uri:http://www.viagenie.test/simon.asc
TZ:-0500
URL;TYPE=home:http://nomis80.test`),
    facts: {
      given_name: 'Simon',
      suffix: 'ing. jr M.Sc.',
      birthday: '0000-02-03',
      company_name: 'Viagenie',
      phone_numbers: [
        { number: '+1-418-656-9254;ext=102', type: 'work' },
        { number: '+1-418-262-6501', type: 'mobile' },
      ],
      physical_addresses: [
        {
          type: 'work',
          street_address: '2875 Laurier\nSuite D2-630',
          city: 'Quebec',
          state: 'QC',
          postal_code: 'G1V 2M2',
          country: 'Canada',
        },
      ],
      web_pages: [{ url: 'http://nomis80.test', type: 'home' }],
    },
    change: {
      fields: {
        physical_addresses: [
          {
            type: 'work',
            street_address: '2875 Laurier\nSuite D2-630',
            city: 'Québec',
            state: 'QC',
            postal_code: 'G1V 2M2',
            country: 'Canada',
          },
        ],
      },
      gone: ['ADR;TYPE=work:;Suite D2-630;2875 Laurier;Quebec;QC;G1V 2M2;Canada'],
      come: ['ADR;TYPE=work:;Suite D2-630;2875 Laurier;Québec;QC;G1V 2M2;Canada'],
    },
  },
  {
    what: 'preferences by number',
    text: four(`
FN:Pre Ference
N:Ference;Pre;;;
EMAIL;PREF=50:second@mail.test
EMAIL:last@mail.test
EMAIL;PREF=1;TYPE=home:first@mail.test`),
    facts: {
      emails: [{ email: 'first@mail.test', type: 'home' }, { email: 'second@mail.test' }, { email: 'last@mail.test' }],
    },
    change: {
      fields: { emails: [{ email: 'first@mail.test', type: 'home' }, { email: 'second@mail.test' }] },
      gone: ['EMAIL:last@mail.test'],
    },
  },
  {
    what: 'a preference that another takes over',
    text: four(`
FN:Pre Ference
N:Ference;Pre;;;
EMAIL;PREF=1;TYPE=home:first@mail.test
EMAIL:last@mail.test`),
    facts: { emails: [{ email: 'first@mail.test', type: 'home' }, { email: 'last@mail.test' }] },
    change: {
      fields: { emails: [{ email: 'last@mail.test' }] },
      gone: ['EMAIL;PREF=1;TYPE=home:first@mail.test', 'EMAIL:last@mail.test'],
      come: ['EMAIL;PREF=1:last@mail.test'],
    },
  },
  {
    what: 'a picture as a data: URI',
    text: four(`
FN:Seen
N:;Seen;;;
PHOTO:data:image/png;base64,${png}`),
    facts: { photo: png },
    change: { fields: { picture: null }, gone: [`PHOTO:data:image/png;base64,${png}`] },
  },
  {
    what: 'a picture as a data: URI whose marks are escaped',
    text: four(`
FN:Seen
N:;Seen;;;
PHOTO:data:image/png\\;base64\\,${png}`),
    facts: { photo: png },
  },
  {
    what: 'a picture at an address',
    text: four(`
FN:Seen
N:;Seen;;;
PHOTO;MEDIATYPE=image/gif:http://www.example.test/dir/photo.gif`),
    facts: { photo: 'http://www.example.test/dir/photo.gif' },
    change: {
      fields: { picture: `data:image/png;base64,${png}` },
      gone: ['PHOTO;MEDIATYPE=image/gif:http://www.example.test/dir/photo.gif'],
      come: [`PHOTO:data:image/png;base64,${png}`],
    },
  },
  {
    what: 'a group with members of several kinds',
    text: four(`
KIND:group
FN:The Does
MEMBER:urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af
MEMBER:urn:uuid:B8767877-B4A1-4C70-9ACC-505D3819E519
MEMBER:mailto:subscriber@example.test
UID:urn:uuid:ab4310aa-fa43-11e9-8f0b-362b9e155667`),
    facts: {
      isGroup: true,
      members: [
        '03a0e51f-d1aa-4385-8a53-e29025acd8af',
        'b8767877-b4a1-4c70-9acc-505d3819e519',
        'mailto:subscriber@example.test',
      ],
      uid: 'urn:uuid:ab4310aa-fa43-11e9-8f0b-362b9e155667',
    },
  },
  {
    what: 'an organization and a place are no groups',
    text: four(`
KIND:org
FN:ABC Marketing
ORG:ABC\\, Inc.;North American Division;Marketing`),
    facts: { isGroup: false, company_name: 'ABC, Inc.', display_name: 'ABC Marketing' },
    change: {
      fields: { company_name: 'XYZ' },
      gone: ['ORG:ABC\\, Inc.;North American Division;Marketing'],
      come: ['ORG:XYZ;North American Division;Marketing'],
    },
  },
  {
    what: 'the same name in several languages',
    text: four(`
FN;ALTID=1;LANGUAGE=jp:山田太郎
FN;ALTID=1;LANGUAGE=en:Taro Yamada
N;ALTID=1;LANGUAGE=jp:山田;太郎;;;
N;ALTID=1;LANGUAGE=en:Yamada;Taro;;;`),
    facts: { display_name: '山田太郎', surname: '山田' },
    change: {
      fields: { surname: '佐藤' },
      gone: ['FN;ALTID=1;LANGUAGE=jp:山田太郎', 'N;ALTID=1;LANGUAGE=jp:山田;太郎;;;'],
      come: ['FN;ALTID=1;LANGUAGE=jp:佐藤太郎', 'N;ALTID=1;LANGUAGE=jp:佐藤;太郎;;;'],
    },
  },
  {
    what: 'names with an order to sort by',
    text: four(`
FN:Rene van der Harten
N;SORT-AS="Harten,Rene":van der Harten;Rene,J.;Sir;R.D.O.N.;`),
    facts: { given_name: 'Rene J.', surname: 'van der Harten', middle_name: 'Sir' },
    change: {
      fields: { surname: 'Harten' },
      gone: ['FN:Rene van der Harten', 'N;SORT-AS="Harten,Rene":van der Harten;Rene,J.;Sir;R.D.O.N.;'],
      come: ['FN:R.D.O.N. Rene J. Sir Harten', 'N;SORT-AS="Harten,Rene":Harten;Rene,J.;Sir;R.D.O.N.;'],
    },
  },
  {
    what: 'an address with its label and its place',
    text: four(`
FN:Mr. John Q. Public, Esq.
ADR;GEO="geo:12.3457,78.910";LABEL="Mr. John Q. Public, Esq.\\nMail Drop: TNE QB":;;123 Main Street;Any Town;CA;91921-1234;U.S.A.`),
    facts: {
      display_name: 'Mr. John Q. Public, Esq.',
      physical_addresses: [
        {
          type: 'other',
          street_address: '123 Main Street',
          city: 'Any Town',
          state: 'CA',
          postal_code: '91921-1234',
          country: 'U.S.A.',
        },
      ],
    },
    change: {
      fields: { physical_addresses: [{ street_address: '1 Main Street', city: 'Any Town' }] },
      gone: [
        'ADR;GEO="geo:12.3457,78.910";LABEL="Mr. John Q. Public, Esq.\\nMail Drop: TNE QB":;;123 Main Street;Any Town;CA;91921-1234;U.S.A.',
      ],
      come: ['ADR;GEO="geo:12.3457,78.910":;;1 Main Street;Any Town;;;'],
    },
  },
  {
    what: 'birthdays that are no day',
    text: four(`
FN:Old
BDAY;VALUE=text:circa 1800`),
    facts: { birthday: null },
    change: {
      fields: { birthday: '1801-01-01' },
      gone: ['BDAY;VALUE=text:circa 1800'],
      come: ['BDAY:18010101'],
    },
  },
  {
    what: 'a birthday of a month alone',
    text: four(`
FN:Month
BDAY:1985-04`),
    facts: { birthday: null },
  },
  {
    what: 'a birthday with the time',
    text: four(`
FN:Time
BDAY:19531015T231000Z`),
    facts: { birthday: '1953-10-15' },
    change: { fields: { birthday: '0000-10-15' }, gone: ['BDAY:19531015T231000Z'], come: ['BDAY:--1015'] },
  },
  {
    what: 'codes in parameters',
    text: four(`
FN:Code
N:Code;;;;
X-NOTE;X-SAID=^'quoted^' and ^^ and^nmore:kept
EMAIL;X-NAME=a^nb:code@mail.test`),
    facts: { emails: [{ email: 'code@mail.test' }] },
    change: {
      fields: { emails: [{ email: 'code@mail.test', type: 'work' }] },
      gone: ['EMAIL;X-NAME=a^nb:code@mail.test'],
      come: ['EMAIL;X-NAME=a^nb;TYPE=work:code@mail.test'],
    },
  },
  {
    what: 'messengers by their schemes',
    text: four(`
FN:Chat
IMPP;PREF=1:xmpp:alice@example.test
IMPP;TYPE=home:skype:alice?chat
IMPP:sip:alice@sip.test
IMPP:aim:goim?screenname=alice%20a`),
    facts: {
      im_addresses: [
        { im_address: 'alice@example.test', type: 'jabber' },
        { im_address: 'alice', type: 'skype' },
        { im_address: 'alice@sip.test', type: 'sip' },
        { im_address: 'alice a', type: 'aim' },
      ],
    },
  },
  {
    what: 'related people as addresses and as text',
    text: four(`
FN:Related
RELATED;TYPE=friend:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
RELATED;TYPE=x-manager;VALUE=text:Big Boss`),
    facts: { manager_name: 'Big Boss' },
    change: {
      fields: { manager_name: 'Bigger Boss' },
      gone: ['RELATED;TYPE=x-manager;VALUE=text:Big Boss'],
      come: ['RELATED;TYPE=x-manager;VALUE=text:Bigger Boss'],
    },
  },
  {
    what: 'categories in several lines',
    text: four(`
FN:Cat
N:Cat;;;;
CATEGORIES:Friends,Work\\, hard
CATEGORIES;PREF=1:Friends,Club`),
    facts: { categories: ['Friends', 'Work, hard', 'Club'] },
    change: {
      fields: { categories: ['Friends', 'Club'] },
      gone: ['CATEGORIES:Friends,Work\\, hard', 'CATEGORIES;PREF=1:Friends,Club'],
      come: ['CATEGORIES:Friends,Club'],
    },
  },
  {
    what: 'what a client of another system needs',
    text: four(`
FN:Map
N:Map;;;;
CLIENTPIDMAP:1;urn:uuid:53e374d9-337e-4727-8803-a1e9c14e0556
EMAIL;PID=4.1,5.3:map@mail.test
XML:<b>Not an xCard XML element</b>
SOURCE:http://directory.example.test/map.vcf
REV:19951031T222710Z`),
    facts: { emails: [{ email: 'map@mail.test' }] },
    change: {
      fields: { notes: 'x' },
      gone: ['REV:19951031T222710Z'],
      come: ['NOTE:x', 'REV:20260101T000000Z'],
    },
  },
  {
    what: 'a name with letters of all sizes, folded within one',
    text: four(`
FN:${'😀 é 漢 '.repeat(2)}
 😀
N:;😀;;;
NOTE:${'漢字かな'.repeat(5)}
 ${'漢字かな'.repeat(5)}`),
    facts: { given_name: '😀', notes: '漢字かな'.repeat(10) },
    change: { fields: { notes: null }, gone: [`NOTE:${'漢字かな'.repeat(10)}`] },
  },
  {
    what: 'names without N',
    text: four(`
FN:Only Shown`),
    facts: { display_name: 'Only Shown', given_name: null, surname: null },
    change: { fields: { given_name: 'Only' }, gone: ['FN:Only Shown'], come: ['FN:Only', 'N:;Only;;;'] },
  },
  {
    what: 'telephone numbers as addresses with codes',
    text: four(`
FN:Tel
TEL;VALUE=uri:tel:%2B44%2020%207946
TEL;VALUE=uri;TYPE=fax:tel:+44-20`),
    facts: { phone_numbers: [{ number: '+44 20 7946' }, { number: '+44-20', type: 'other' }] },
    change: { fields: { phone_numbers: [{ number: '+44 20 7946' }] }, gone: ['TEL;VALUE=uri;TYPE=fax:tel:+44-20'] },
  },
]
