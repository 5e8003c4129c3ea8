/** Bounces with rare wordings, or in which only the words say that there are no more attempts. */
import { type BounceSample, daemon, gone, original, plain } from './bounce-samples.ts'

/** Permanent failures although the last reply was transient. */
export const givenUp: BounceSample[] = [
  {
    name: 'qmail: the last reply was of the kind that may pass',
    source: plain(
      `${daemon}\nSubject: failure notice`,
      `Hello, here is qmail-send at mx.example.com.\nThis did not work out.\n\n<slow@example.org>:\nConnected to 192.0.2.7 but sender was rejected.\nRemote host said: 421 4.7.0 Messages from 192.0.2.1 temporarily deferred\nI'm not going to try again; this message has been in the queue too long.\n\n--- Below this line is a copy of the message.\n\n${original('slow@example.org')}`,
    ),
    recipients: [{ address: 'slow@example.org', action: 'failed', status: '4.7.0', code: '421' }],
  },
  {
    name: 'exim: it tried for long enough',
    source: plain(
      `${daemon}\nSubject: Mail delivery failed: returning message to sender\nX-Failed-Recipients: slow@example.org`,
      `Written by the mail software. The address(es):\n\n  slow@example.org\n    retry timeout exceeded\n\n------ This is a copy of the message, including all the headers. ------\n\n${original('slow@example.org')}`,
    ),
    recipients: [{ address: 'slow@example.org', action: 'failed', status: '4.4.7', reason: /timeout/ }],
  },
  {
    name: 'sendmail: deleted from the queue',
    source: plain(
      `${daemon}\nSubject: Returned mail: see transcript for details`,
      `   ----- Transcript of session follows -----\n<slow@example.org>... Deferred: Connection refused by mx.example.org.\nMessage could not be delivered for 5 days\nMessage will be deleted from queue\n\n   ----- Original message follows -----\n\n${original('slow@example.org')}`,
    ),
    recipients: [{ address: 'slow@example.org', action: 'failed' }],
  },
  {
    name: 'IMail: so many attempts',
    source: plain(
      'From: "Postmaster" <postmaster@imail.example.org>\nTo: mira@example.com\nSubject: Undeliverable Mail',
      `Delivery failed 20 attempts: slow@example.org\n\nOriginal message follows.\n\n${original('slow@example.org')}`,
    ),
    recipients: [{ address: 'slow@example.org', action: 'failed', status: '4.4.7' }],
  },
  {
    name: 'Yahoo: several retries',
    source: plain(
      'Return-Path: <>\nFrom: MAILER-DAEMON@yahoo.example\nTo: mira@example.com\nSubject: Failure Notice',
      `Sorry.\n\n<slow@example.org>:\nUnable to deliver message after multiple retries, giving up.\n\n--- Below this line is a copy of the message.\n\n${original('slow@example.org')}`,
    ),
    recipients: [{ address: 'slow@example.org', action: 'failed' }],
  },
]

/** Details in unusual places, or in another language. */
export const wordings: BounceSample[] = [
  {
    name: 'Exchange: whom the message was for stands above those who failed',
    source: plain(
      'Return-Path: <>\nFrom: System Administrator <postmaster@nt.example.org>\nTo: mira@example.com\nSubject: Undeliverable: Offer\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b',
      `--b\nContent-Type: text/plain\n\nYour message\n\n  To:      there@example.org\n  Subject: Offer\n\ndid not reach the following recipient(s):\n\ngone@example.org on Mon, 1 Jun 2026 12:00:04 -0000\n    The recipient name is not recognized\n\n--b\nContent-Type: message/rfc822\n\n${original('there@example.org, gone@example.org')}\n--b--`,
    ),
    recipients: [gone],
  },
  {
    name: 'sendmail 5: a transcript of several hosts',
    source: plain(
      'Return-Path: <MAILER-DAEMON@mx.example.com>\nFrom: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.com>\nTo: mira@example.com\nSubject: Returned mail: Host unknown',
      `   ----- Transcript of session follows -----\n550 example.org (smtp)... 550 Host unknown\n554 <gone@example.org>... 550 Host unknown\n554 <also@example.net>... 550 Host unknown\n\n   ----- Unsent message follows -----\n${original()}`,
    ),
    recipients: [
      { address: 'gone@example.org', action: 'failed', code: '554' },
      { address: 'also@example.net', action: 'failed', code: '554' },
    ],
  },
  {
    name: 'the fields of a report in the text, its parts lost on the way',
    source: plain(
      `${daemon}\nSubject: Delivery Notification: Delivery has failed`,
      `This is about your letter.\n\nReporting-MTA: dns; mx.example.com\n\nOriginal-recipient: rfc822;gone@example.org\nFinal-recipient: rfc822;gone@example.org\nAction: failed\nStatus: 5.1.1 (not here)\nDiagnostic-code: smtp; 550 5.1.1 Nobody\n\n${original()}`,
    ),
    recipients: [{ ...gone, code: '550' }],
  },
  {
    name: 'a text that names nobody: the only recipient is meant',
    source: plain(
      `${daemon}\nSubject: Delivery failure`,
      `Your message has met with problems: there is no such user here.\n\nYour message reads (in part):\n\n${original()}`,
    ),
    recipients: [{ address: 'gone@example.org', action: 'failed', status: '5.1.1' }],
  },
  ...[
    [
      'German',
      'Unzustellbar: Offer',
      'Die Nachricht konnte nicht zugestellt werden:',
      'Der Empfänger ist unbekannt',
      '5.1.1',
    ],
    ['French', 'Non remis : Offer', "Votre message n'a pas pu être remis à :", "Cette adresse n'existe pas", '5.1.1'],
    ['Spanish', 'No se pudo entregar: Offer', 'No se pudo entregar su mensaje a:', 'El buzón está lleno', '5.2.2'],
    ['Italian', 'Mancato recapito: Offer', 'Il messaggio non è stato consegnato a:', "L'indirizzo non esiste", '5.1.1'],
    ['Portuguese', 'Falha na entrega: Offer', 'A mensagem não foi entregue a:', 'O usuário não existe', '5.1.1'],
    ['Russian', 'Сообщение не доставлено', 'Письмо не может быть доставлено:', 'Пользователь не найден', '5.1.1'],
    [
      'Japanese',
      'メッセージを配信できません',
      '次の宛先に配信できませんでした。',
      '宛先のユーザが存在しません',
      '5.1.1',
    ],
    ['Chinese', '系统退信', '您的邮件无法投递到：', '收件人邮箱已满', '5.2.2'],
  ].map(([language = '', subject = '', opening = '', why = '', status = '']) => ({
    name: `in ${language}`,
    source: plain(
      `${daemon}\nSubject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b`,
      `--b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(`${opening}\n\n<gone@example.org>\n${why}\n`).toString('base64')}\n\n--b\nContent-Type: message/rfc822\n\n${original()}\n--b--`,
    ),
    recipients: [{ address: 'gone@example.org', action: 'failed', status }],
  })),
]
