import type { ConsentTexts } from './consent-texts.ts'

export const consentDe: ConsentTexts = {
  'consent.title': '{client} mit {application} verbinden',
  'consent.unverified':
    'Nicht geprüft: Jeder kann diesen Namen verwenden. Fahren Sie nur fort, wenn Sie dies selbst begonnen haben.',
  'consent.verified': 'Veröffentlicht von {host}',
  'consent.returns_site': 'Danach kehren Sie zu {place} zurück.',
  'consent.returns_device': 'Danach kehren Sie zu einem Programm auf diesem Gerät zurück ({place}).',
  'consent.returns_app': 'Danach kehren Sie zu einer App auf diesem Gerät zurück ({place}).',
  'consent.sign_in_why':
    'Melden Sie sich mit dem Konto an, das mit {application} verbunden ist. Danach wählen Sie, was {client} darf.',
  'consent.sign_in': 'Bei Ihrem Konto anmelden',
  'consent.cancel': 'Abbrechen',
  'consent.as_administrator': 'Ich verwalte {application}',
  'consent.administrator': 'Sie entscheiden als Administrator ({name}).',
  'consent.administrator_sign_in': 'Melden Sie sich zuerst am Dashboard an. Öffnen Sie dann diese Seite noch einmal.',
  'consent.dashboard': 'Dashboard öffnen',
  'consent.need_rights':
    'Sie dürfen das nicht entscheiden: Administratoren brauchen das Recht, die Anwendung zu ändern und Kundendaten zu sehen.',
  'consent.accounts': 'Welche Konten?',
  'consent.search': 'Konten suchen',
  'consent.no_accounts': 'Es wurde kein Konto gefunden.',
  'consent.rights': 'Was darf es?',
  'consent.careful': '(Vorsicht)',
  'consent.ask': 'Vorher fragen',
  'consent.ask_why': 'Jemand muss jede dieser Aktionen genehmigen, bevor sie geschieht.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',
  'consent.later': 'Sie können die Verbindung jederzeit trennen.',
  'consent.choose_account': 'Wählen Sie mindestens ein Konto.',
  'consent.choose_right': 'Wählen Sie mindestens ein Recht.',
  'consent.stop_title': 'Die Verbindung ist nicht möglich',
  'consent.stop_advice':
    'Gehen Sie zurück zu dem Programm, von dem Sie kommen, und beginnen Sie neu. Wenn das nicht hilft, wenden Sie sich an dessen Betreiber.',
  'consent.no_application':
    'Diese Adresse nennt keine Anwendung, oder die Anwendung lässt keine Agenten zu. Fragen Sie die Betreiber des Dienstes nach der Adresse Ihrer Anwendung.',
}
