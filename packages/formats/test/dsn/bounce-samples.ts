/** Bounces of many mail systems, in our own words: each has the structure of its system. */
export const sentId = '7d1f.0a@mail.example.com'

export interface BounceSample {
  name: string
  source: string
  /** Address, action and status; the code and a part of the reason if the system reports them. */
  recipients: { address: string; action?: string; status?: string; code?: string; reason?: RegExp }[]
}

const crlf = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n')

/** The returned message, headers only. */
export const original = (to = 'gone@example.org', more = ''): string =>
  `Received: from client.example.com by out.example.com; Mon, 1 Jun 2026 12:00:00 +0000\nFrom: Mira <mira@example.com>\nTo: ${to}\nSubject: Offer\nMessage-ID: <${sentId}>\nDate: Mon, 1 Jun 2026 12:00:00 +0000\n${more}`

interface Report {
  from?: string
  subject?: string
  headers?: string
  text?: string
  /** The blocks about recipients. */
  blocks: readonly string[]
  /** The whole third part; default: the headers of the original. */
  third?: string
  statusType?: string
  statusEncoding?: string
  kind?: string
}

const quotedPrintable = (text: string): string => text.replaceAll('=', '=3D').replaceAll('é', '=C3=A9')

/** A multipart/report. */
export function dsn(report: Report): string {
  const { from = 'Mail Delivery System <MAILER-DAEMON@mx.example.com>', subject = 'Delivery report' } = report
  const { headers = '', text = 'Your letter is below.', blocks, statusType = 'message/delivery-status' } = report
  const status = `Reporting-MTA: dns; mx.example.com\nArrival-Date: Mon, 1 Jun 2026 12:00:01 +0000\n\n${blocks.join('\n\n')}\n`
  const third = report.third ?? `Content-Type: text/rfc822-headers\n\n${original()}`
  const { statusEncoding: encoding } = report
  const encoded =
    encoding === 'base64'
      ? Buffer.from(crlf(status)).toString('base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(status)
        : status
  const kind = report.kind ?? 'multipart/report; report-type=delivery-status'
  return crlf(`Return-Path: <>
From: ${from}
To: mira@example.com
Subject: ${subject}
Date: Mon, 1 Jun 2026 12:00:05 +0000
Message-ID: <bounce-1@mx.example.com>
${headers}MIME-Version: 1.0
Content-Type: ${kind}; boundary="=_r"

--=_r
Content-Type: text/plain; charset=utf-8

${text}

--=_r
Content-Type: ${statusType}
${encoding === undefined ? '' : `Content-Transfer-Encoding: ${encoding}\n`}
${encoded}
--=_r
${third}
--=_r--
`)
}

/** A plain-text message. */
export const plain = (headers: string, body: string): string =>
  crlf(`${headers.trim()}\nDate: Mon, 1 Jun 2026 12:00:05 +0000\nMessage-ID: <words-1@mx.example.com>\n\n${body}`)

export const failed = (address: string, more = ''): string =>
  `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: 5.1.1${more}`

export const gone = { address: 'gone@example.org', action: 'failed', status: '5.1.1' }

export const reports: BounceSample[] = [
  {
    name: 'postfix: status, diagnostic code and original recipient',
    source: dsn({
      subject: 'Undelivered Mail Returned to Sender',
      blocks: [
        'Final-Recipient: rfc822; gone@example.org\nOriginal-Recipient: rfc822;gone@example.org\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; mx.example.org\nDiagnostic-Code: smtp; 550 5.1.1 <gone@example.org>: Recipient address\n    rejected: User unknown',
      ],
    }),
    recipients: [{ ...gone, code: '550', reason: /Recipient address rejected: User unknown/ }],
  },
  {
    name: 'postfix: a domain that does not exist',
    source: dsn({
      blocks: [
        'Final-Recipient: rfc822; x@missing.test\nAction: failed\nStatus: 5.4.4\nDiagnostic-Code: X-Postfix; Host or domain name not found. Name service error for name=missing.test type=A: Host not found',
      ],
    }),
    recipients: [{ address: 'x@missing.test', status: '5.4.4', reason: /Host or domain name not found/ }],
  },
  {
    name: 'sendmail: a comment after the status, and the address in brackets',
    source: dsn({
      from: 'Mail Delivery Subsystem <MAILER-DAEMON@relay.example.com>',
      subject: 'Returned mail: see transcript for details',
      blocks: [
        'Final-Recipient: RFC822; <gone@example.org>\nAction: failed (bad destination mailbox)\nStatus: 5.1.1 (bad address)\nDiagnostic-Code: SMTP; 550 5.1.1 <gone@example.org>... User unknown',
      ],
    }),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'exim: no diagnostic code, the reason stands in the text',
    source: dsn({
      subject: 'Mail delivery failed: returning message to sender',
      headers: 'X-Failed-Recipients: full@example.org\n',
      text: 'This was written by the mail software.\nIt failed for good for:\n\n  full@example.org\n    552 5.2.2 There is no room left',
      blocks: ['Action: failed\nFinal-Recipient: rfc822;full@example.org\nStatus: 5.0.0'],
      third: `Content-Type: message/rfc822\n\n${original('full@example.org')}\n\nText`,
    }),
    recipients: [{ address: 'full@example.org', status: '5.2.2', code: '552', reason: /no room left/ }],
  },
  {
    name: 'Gmail: the Message-ID stands among the fields of the report',
    source: dsn({
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      subject: 'Delivery Status Notification (Failure)',
      headers: 'X-Failed-Recipients: gone@example.org\n',
      blocks: [
        `X-Original-Message-ID: <${sentId}>`,
        failed(
          'gone@example.org',
          '\nDiagnostic-Code: smtp; 550-5.1.1 The account you wrote to is not here.\n 550 5.1.1 Look for typing errors. a1-2 - gsmtp',
        ),
      ],
      third: 'Content-Type: text/plain\n\nNothing of the letter.',
    }),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'Exchange: the Message-ID only in In-Reply-To',
    source: dsn({
      from: 'Microsoft Outlook <postmaster@example.onmicrosoft.com>',
      subject: 'Undeliverable: Offer',
      headers: `In-Reply-To: <${sentId}>\nReferences: <${sentId}>\n`,
      blocks: [
        'Final-Recipient: rfc822;gone@example.org\nAction: failed\nStatus: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient gone@example.org not found by lookup\nX-Display-Name: Gone',
      ],
      third: 'Content-Type: text/plain\n\nNo original.',
    }),
    recipients: [{ ...gone, status: '5.1.10', code: '550' }],
  },
  {
    name: 'Exchange on premises: the diagnostic with # before the codes',
    source: dsn({
      blocks: [
        'Original-Recipient: rfc822;gone@example.org\nFinal-Recipient: rfc822;gone@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp;#550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found ##',
      ],
    }),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'Domino: words instead of a code',
    source: dsn({
      from: '<postmaster@notes.example.org>',
      subject: 'DELIVERY FAILURE: User gone (gone@example.org) not listed in Domino Directory',
      text: 'Your letter\n\n  Subject: Offer\n\nwas not delivered to:\n\n  gone@example.org\n\nbecause:\n\n  User gone (gone@example.org) not listed in Domino Directory',
      blocks: [
        'Final-Recipient: rfc822;gone@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: X-Notes; User gone (gone@example.org) not listed in Domino\n Directory',
      ],
    }),
    recipients: [{ ...gone, reason: /not listed in Domino Directory/ }],
  },
  {
    name: 'Yahoo: a report of its own service',
    source: dsn({
      from: 'MAILER-DAEMON@yahoo.com',
      subject: 'Failure Notice',
      blocks: [failed('gone@example.org', '\nDiagnostic-Code: smtp; 554 delivery error: dd This user has no account')],
    }),
    recipients: [{ ...gone, code: '554' }],
  },
  {
    name: 'Coremail (163, 126): a report with Chinese words',
    source: dsn({
      from: 'Postmaster@163.com',
      subject: '=?utf-8?B?57O757uf6YCA5L+h?=',
      text: '你的邮件被退回',
      blocks: [failed('gone@example.org', '\nDiagnostic-Code: smtp; 550 User not found: gone@example.org')],
    }),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'AOL: the codes in brackets',
    source: dsn({
      blocks: [failed('gone@example.org', '\nDiagnostic-Code: smtp; 550 (gone) mailbox unavailable (#5.1.1)')],
    }),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'several recipients, of whom one is only late and one was reached',
    source: dsn({
      blocks: [
        failed('gone@example.org'),
        'Final-Recipient: rfc822; late@example.org\nAction: delayed\nStatus: 4.4.1',
        'Final-Recipient: rfc822; there@example.org\nAction: delivered\nStatus: 2.0.0',
        failed('also@example.org', '\nDiagnostic-Code: smtp; 551 5.1.6 Moved'),
      ],
    }),
    recipients: [
      gone,
      { address: 'late@example.org', action: 'delayed', status: '4.4.1' },
      { address: 'there@example.org', action: 'delivered' },
      { address: 'also@example.org', action: 'failed', code: '551' },
    ],
  },
  {
    name: 'a forwarded address: the original one is told too',
    source: dsn({
      blocks: [
        'Original-Recipient: rfc822; info@example.org\nFinal-Recipient: rfc822; gone@elsewhere.example\nAction: failed\nStatus: 5.1.1',
      ],
    }),
    recipients: [{ address: 'gone@elsewhere.example', status: '5.1.1' }],
  },
  {
    name: 'only an original recipient',
    source: dsn({ blocks: ['Original-Recipient: rfc822;gone@example.org\nAction: failed\nStatus: 5.1.1'] }),
    recipients: [gone],
  },
  {
    name: 'no action: the status says that it failed',
    source: dsn({ blocks: ['Final-Recipient: rfc822;gone@example.org\nStatus: 5.1.1'] }),
    recipients: [gone],
  },
  {
    name: 'no status: the diagnostic code has it',
    source: dsn({
      blocks: ['Final-Recipient: rfc822;gone@example.org\nAction: failed\nDiagnostic-Code: smtp;550 5.1.1 Unknown'],
    }),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'the status part in base64',
    source: dsn({ blocks: [failed('gone@example.org')], statusEncoding: 'base64' }),
    recipients: [gone],
  },
  {
    name: 'the status part in quoted-printable',
    source: dsn({ blocks: [failed('gone+a=b@example.org')], statusEncoding: 'quoted-printable' }),
    recipients: [{ address: 'gone+a=b@example.org', status: '5.1.1' }],
  },
  {
    name: 'an address beyond ASCII (RFC 6533)',
    source: dsn({
      statusType: 'message/global-delivery-status',
      blocks: ['Final-Recipient: utf-8; jos\\x{E9}@example.org\nAction: failed\nStatus: 5.1.1'],
    }),
    recipients: [{ address: 'josé@example.org', status: '5.1.1' }],
  },
  {
    name: 'a report inside multipart/mixed, behind a notice of a mailing list',
    source: dsn({ kind: 'multipart/mixed', blocks: [failed('gone@example.org')] }),
    recipients: [gone],
  },
  {
    name: 'more blank lines between the blocks than there should be',
    source: dsn({ blocks: ['\n\nFinal-Recipient: rfc822; gone@example.org\nAction: failed\nStatus: 5.1.1\n\n\n'] }),
    recipients: [gone],
  },
  {
    name: 'the whole message instead of its headers, in 8bit',
    source: dsn({
      blocks: [failed('gone@example.org')],
      third: `Content-Type: message/rfc822\nContent-Transfer-Encoding: 8bit\n\n${original()}\n\nHello`,
    }),
    recipients: [gone],
  },
  {
    name: 'a refusal for policy',
    source: dsn({
      blocks: [
        'Final-Recipient: rfc822; gone@example.org\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; 550 5.7.1 Message rejected as spam',
      ],
    }),
    recipients: [{ address: 'gone@example.org', status: '5.7.1', code: '550' }],
  },
  {
    name: 'given up after days: failed, though for a reason that may pass',
    source: dsn({
      blocks: [
        'Final-Recipient: rfc822; slow@example.org\nAction: failed\nStatus: 4.4.7\nDiagnostic-Code: smtp; 421 Busy',
      ],
    }),
    recipients: [{ address: 'slow@example.org', action: 'failed', status: '4.4.7' }],
  },
  {
    name: 'SendGrid: an action of its own, and no status',
    source: dsn({
      blocks: [
        'Final-Recipient: rfc822; slow@example.org\nAction: expired\nStatus: \nDiagnostic-Code: No answer in time',
      ],
    }),
    recipients: [{ address: 'slow@example.org', action: 'failed', status: '4.4.7' }],
  },
  {
    name: 'the noun for the action, and a reply where the status belongs',
    source: dsn({ blocks: ['Final-Recipient: rfc822; gone@example.org\nAction: failure\nStatus: 553 Far too big'] }),
    recipients: [{ address: 'gone@example.org', action: 'failed', code: '553', reason: /too big/ }],
  },
  {
    name: 'two recipients without the blank line between them',
    source: dsn({ blocks: [`${failed('gone@example.org')}\n${failed('also@example.org')}`] }),
    recipients: [gone, { address: 'also@example.org', action: 'failed' }],
  },
  {
    name: 'an address with a quoted local part',
    source: dsn({ blocks: ['Final-Recipient: rfc822; "gone girl"@example.org\nAction: failed\nStatus: 5.1.1'] }),
    recipients: [{ ...gone, address: '"gone girl"@example.org' }],
  },
]

export const daemon = 'Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.com\nTo: mira@example.com'

export const texts: BounceSample[] = [
  {
    name: 'qmail',
    source: plain(
      `${daemon}\nSubject: failure notice`,
      `Hello, here is qmail-send at mx.example.com.\nThe letter did not get to the addresses below. This is a permanent error; I've given up.\n\n<gone@example.org>:\n192.0.2.7 does not like recipient.\nRemote host said: 550 5.1.1 nobody of that name\nGiving up on 192.0.2.7.\n\n--- Below this line is a copy of the message.\n\n${original()}\n\nHello`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'qmail: two addresses, each with its own reason',
    source: plain(
      `${daemon}\nSubject: failure notice`,
      `It did not work.\n\n<gone@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n<x@missing.test>:\nSorry, I couldn't find any host named missing.test. (#5.1.2)\n\n--- Below this line is a copy of the message.\n\n${original()}`,
    ),
    recipients: [gone, { address: 'x@missing.test', action: 'failed', status: '5.1.2' }],
  },
  {
    name: 'exim, before it wrote reports',
    source: plain(
      `${daemon}\nSubject: Mail delivery failed: returning message to sender\nX-Failed-Recipients: gone@example.org`,
      `Written by the mail software.\n\nA letter of yours failed for good. The address(es):\n\n  gone@example.org\n    SMTP error from remote mail server after RCPT TO:<gone@example.org>:\n    host mx.example.org [192.0.2.7]: 550 5.1.1 User unknown\n\n------ This is a copy of the message, including all the headers. ------\n\nReturn-path: <mira@example.com>\n${original()}`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'exim: an address that goes nowhere, without a code',
    source: plain(
      `${daemon}\nSubject: Mail delivery failed: returning message to sender\nX-Failed-Recipients: x@missing.test`,
      `Failed for good:\n\n  x@missing.test\n    Unrouteable address\n\n------ This is a copy of the message, including all the headers. ------\n\n${original()}`,
    ),
    recipients: [{ address: 'x@missing.test', action: 'failed', status: '5.1.1' }],
  },
  {
    name: 'postfix of old, the message attached and no status',
    source: plain(
      `${daemon}\nSubject: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b`,
      `--b\nContent-Type: text/plain\n\nHere is Postfix at mx.example.com.\n\nYour letter could not be delivered.\n\n<gone@example.org>: host mx.example.org[192.0.2.7] said: 550 5.1.1\n    <gone@example.org>: User unknown (in reply to RCPT TO command)\n\n--b\nContent-Type: message/rfc822\n\n${original()}\n\n--b--`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'sendmail of old, with a transcript',
    source: plain(
      `${daemon}\nSubject: Returned mail: User unknown`,
      `   ----- The following addresses had permanent fatal errors -----\n<gone@example.org>\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.org.:\n>>> RCPT To:<gone@example.org>\n<<< 550 5.1.1 <gone@example.org>... User unknown\n\n   ----- Original message follows -----\n\n${original()}`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'Exchange 5.5: a report in words, the message attached',
    source: plain(
      'Return-Path: <>\nFrom: System Administrator <postmaster@nt.example.org>\nTo: mira@example.com\nSubject: Undeliverable: Offer\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b',
      `--b\nContent-Type: text/plain\n\nYour message\n\n  To:      gone@example.org\n  Subject: Offer\n\ndid not reach the following recipient(s):\n\ngone@example.org on Mon, 1 Jun 2026 12:00:04 -0000\n    The recipient name is not recognized\n\n--b\nContent-Type: message/rfc822\n\n${original()}\n--b--`,
    ),
    recipients: [gone],
  },
  {
    name: 'Gmail of old',
    source: plain(
      'Return-Path: <>\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nTo: mira@example.com\nSubject: Delivery Status Notification (Failure)\nX-Failed-Recipients: gone@example.org',
      `It failed permanently for:\n\n     gone@example.org\n\nTechnical details of permanent failure:\nThe other server said: 550 550 Unknown user (state 14).\n\n----- Original message -----\n\n${original()}`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'Gmail in a language that is not known here: the headers say who failed',
    source: plain(
      'Return-Path: <>\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nTo: mira@example.com\nSubject: Delivery Status Notification (Failure)\nX-Failed-Recipients: group@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit',
      `このグループには投稿できません。\n\n----- Original message -----\n\n${original()}`,
    ),
    recipients: [{ address: 'group@example.org', action: 'failed', status: '5.0.0' }],
  },
  {
    name: 'Yahoo of old',
    source: plain(
      `Return-Path: <>\nFrom: MAILER-DAEMON@yahoo.example\nTo: mira@example.com\nSubject: Failure Notice`,
      `Sorry, we did not get through to this address.\n\n<gone@example.org>:\nRemote host said:\n550 5.1.1 This address is not here\n[RCPT_TO]\n\n--- Below this line is a copy of the message.\n\n${original()}`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'Yahoo: a domain without mail',
    source: plain(
      `Return-Path: <>\nFrom: MAILER-DAEMON@yahoo.example\nTo: mira@example.com\nSubject: Failure Notice`,
      `Sorry.\n\n<x@missing.test>:\nNo mx record found for domain=missing.test\n\n--- Below this line is a copy of the message.\n\n${original()}`,
    ),
    recipients: [{ address: 'x@missing.test', status: '5.1.2' }],
  },
  {
    name: 'mail.ru',
    source: plain(
      'Return-Path: <>\nFrom: mailer-daemon@corp.mail.ru\nTo: mira@example.com\nSubject: Mail failure.\nX-Failed-Recipients: gone@mail.ru',
      `Written by the mail software.\n\nA letter of yours failed. The address(es):\n\n  gone@mail.ru\n    user not found\n\n------ This is a copy of the message, including all the headers. ------\n\n${original('gone@mail.ru')}`,
    ),
    recipients: [{ address: 'gone@mail.ru', action: 'failed', status: '5.1.1' }],
  },
  {
    name: 'Zoho: code and status behind words of its own',
    source: plain(
      'Return-Path: <>\nFrom: mailer-daemon@mail.zoho.com\nTo: mira@example.com\nSubject: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b',
      `--b\nContent-Type: text/plain\n\nWritten by the mail software. This is a permanent error.\n\ngone@example.org Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 User unknown\n\n--b\nContent-Type: text/plain\n\n${original()}\n--b--`,
    ),
    recipients: [gone],
  },
  {
    name: 'QQ: Chinese words in HTML, the message attached',
    source: plain(
      'From: PostMaster@qq.com\nTo: mira@example.com\nSubject: =?utf-8?B?57O757uf6YCA5L+h?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b',
      `--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from('<div>退信<br>收件人邮件地址（gone@qq.com）不存在，邮件无法送达。</div>').toString('base64')}\n\n--b\nContent-Type: message/rfc822\n\n${original('gone@qq.com')}\n--b--`,
    ),
    recipients: [{ address: 'gone@qq.com', action: 'failed', status: '5.1.1' }],
  },
  {
    name: 'Lotus SMTP',
    source: plain(
      'Return-Path: <>\nFrom: postmaster@notes.example.org\nTo: mira@example.com\nSubject: Undeliverable message',
      `------- Failure Reasons  --------\n\nUser not listed in public Name & Address Book\ngone@example.org\n\n------- Returned Message --------\n\n${original()}`,
    ),
    recipients: [gone],
  },
  {
    name: 'IMail',
    source: plain(
      'From: "Postmaster" <postmaster@imail.example.org>\nTo: mira@example.com\nSubject: Undeliverable Mail',
      `Unknown user: gone@example.org\n\nOriginal message follows.\n\n${original()}`,
    ),
    recipients: [gone],
  },
  {
    name: '1&1: the address before a colon',
    source: plain(
      'Return-Path: <>\nFrom: "Mail Delivery System" <mailer-daemon@kundenserver.example>\nTo: mira@example.com\nSubject: Mail delivery failed: returning message to sender',
      `Failed for good:\n\ngone@example.org:\nSMTP error from remote server for RCPT TO command, host: mx.example.org (192.0.2.7) reason: 550 5.1.1 Unknown\n\n--- The header of the original message is following. ---\n\n${original()}`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'MXLogic and others: the address in the middle of a sentence',
    source: plain(
      `${daemon}\nSubject: Mail delivery failed`,
      `Your letter could not be delivered to <gone@example.org>: there is no such user.\n\nIncluded is a copy of the message header:\n-----------------------------------------\n${original()}`,
    ),
    recipients: [gone],
  },
  {
    name: 'a mailbox that is full, in words alone',
    source: plain(
      `${daemon}\nSubject: Mail System Error - Returned Mail`,
      `This message was undeliverable:\n\n  <full@example.org>\n  The mailbox quota is exceeded.\n\n----- Original message follows -----\n${original('full@example.org')}`,
    ),
    recipients: [{ address: 'full@example.org', action: 'failed', status: '5.2.2' }],
  },
  {
    name: 'a message that is too large, in words alone',
    source: plain(
      `${daemon}\nSubject: Undeliverable mail`,
      `  <gone@example.org>\n  The message is too large for this server.\n\n----- Original message follows -----\n${original()}`,
    ),
    recipients: [{ address: 'gone@example.org', action: 'failed', status: '5.3.4' }],
  },
  {
    name: 'who wrote to their own address',
    source: plain(
      `${daemon}\nSubject: failure notice`,
      `No luck.\n\n<mira@example.com>:\nRemote host said: 552 5.2.2 No room\n\n--- Below this line is a copy of the message.\n\n${original('mira@example.com')}`,
    ),
    recipients: [{ address: 'mira@example.com', status: '5.2.2', code: '552' }],
  },
]
