import type { ConsentTexts } from './consent-texts.ts'

export const consentNl: ConsentTexts = {
  'consent.title': '{client} verbinden met {application}',
  'consent.unverified':
    'Niet gecontroleerd: iedereen kan deze naam gebruiken. Ga alleen verder als u dit zelf bent begonnen.',
  'consent.verified': 'Gepubliceerd door {host}',
  'consent.returns_site': 'Daarna keert u terug naar {place}.',
  'consent.returns_device': 'Daarna keert u terug naar een programma op dit apparaat ({place}).',
  'consent.returns_app': 'Daarna keert u terug naar een app op dit apparaat ({place}).',
  'consent.sign_in_why':
    'Meld u aan met het account dat met {application} is verbonden. Daarna kiest u wat {client} mag doen.',
  'consent.sign_in': 'Aanmelden bij uw account',
  'consent.cancel': 'Annuleren',
  'consent.as_administrator': 'Ik beheer {application}',
  'consent.administrator': 'U beslist als beheerder ({name}).',
  'consent.administrator_sign_in': 'Meld u eerst aan bij het dashboard. Open daarna deze pagina opnieuw.',
  'consent.dashboard': 'Dashboard openen',
  'consent.need_rights':
    'U mag dit niet beslissen: beheerders moeten de toepassing mogen wijzigen en klantgegevens mogen zien.',
  'consent.accounts': 'Welke accounts?',
  'consent.search': 'Accounts zoeken',
  'consent.no_accounts': 'Geen account gevonden.',
  'consent.rights': 'Wat mag het doen?',
  'consent.careful': '(wees voorzichtig)',
  'consent.ask': 'Eerst vragen',
  'consent.ask_why': 'Iemand moet elk van deze acties goedkeuren voordat ze gebeurt.',
  'consent.allow': 'Toestaan',
  'consent.deny': 'Weigeren',
  'consent.later': 'U kunt de verbinding altijd verbreken.',
  'consent.choose_account': 'Kies minstens één account.',
  'consent.choose_right': 'Kies minstens één recht.',
  'consent.stop_title': 'De verbinding is niet mogelijk',
  'consent.stop_advice':
    'Ga terug naar het programma waar u vandaan komt en begin opnieuw. Helpt dat niet, vertel het dan aan de beheerders ervan.',
  'consent.no_application':
    'Dit adres noemt geen toepassing, of de toepassing staat geen agents toe. Vraag de beheerders van de dienst om het adres van uw toepassing.',
}
