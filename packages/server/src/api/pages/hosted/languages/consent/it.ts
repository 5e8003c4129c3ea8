import type { ConsentTexts } from './consent-texts.ts'

export const consentIt: ConsentTexts = {
  'consent.title': 'Collegare {client} a {application}',
  'consent.unverified':
    'Non verificato: chiunque può usare questo nome. Continui solo se ha avviato Lei questa richiesta.',
  'consent.verified': 'Pubblicato da {host}',
  'consent.returns_site': 'Poi tornerà a {place}.',
  'consent.returns_device': 'Poi tornerà a un programma su questo dispositivo ({place}).',
  'consent.returns_app': 'Poi tornerà a un’app su questo dispositivo ({place}).',
  'consent.sign_in_why': 'Acceda con l’account collegato a {application}. Poi sceglierà che cosa può fare {client}.',
  'consent.sign_in': 'Accedere al proprio account',
  'consent.cancel': 'Annulla',
  'consent.as_administrator': 'Amministro {application}',
  'consent.administrator': 'Decide come amministratore ({name}).',
  'consent.administrator_sign_in': 'Acceda prima alla dashboard. Poi apra di nuovo questa pagina.',
  'consent.dashboard': 'Apri la dashboard',
  'consent.need_rights':
    'Non può decidere: gli amministratori devono poter modificare l’applicazione e vedere i dati dei clienti.',
  'consent.accounts': 'Quali account?',
  'consent.search': 'Cerca account',
  'consent.no_accounts': 'Nessun account trovato.',
  'consent.rights': 'Che cosa può fare?',
  'consent.careful': '(attenzione)',
  'consent.ask': 'Chiedere prima di',
  'consent.ask_why': 'Qualcuno deve approvare ognuna di queste azioni prima che avvenga.',
  'consent.allow': 'Consenti',
  'consent.deny': 'Rifiuta',
  'consent.later': 'Può scollegarlo in qualsiasi momento.',
  'consent.choose_account': 'Scelga almeno un account.',
  'consent.choose_right': 'Scelga almeno un permesso.',
  'consent.stop_title': 'Il collegamento non è possibile',
  'consent.stop_advice': 'Torni al programma da cui viene e ricominci. Se non basta, avvisi chi lo gestisce.',
  'consent.no_application':
    'Questo indirizzo non indica l’applicazione, oppure l’applicazione non consente agenti. Chieda l’indirizzo della Sua applicazione a chi gestisce il servizio.',
}
