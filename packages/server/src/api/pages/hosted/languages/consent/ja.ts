import type { ConsentTexts } from './consent-texts.ts'

export const consentJa: ConsentTexts = {
  'consent.title': '{client} を {application} に接続',
  'consent.unverified': '未確認: この名前は誰でも使えます。ご自身で始めた場合だけ続けてください。',
  'consent.verified': '公開元: {host}',
  'consent.returns_site': 'その後、{place} に戻ります。',
  'consent.returns_device': 'その後、このデバイスのプログラム ({place}) に戻ります。',
  'consent.returns_app': 'その後、このデバイスのアプリ ({place}) に戻ります。',
  'consent.sign_in_why':
    '{application} に接続したアカウントでサインインしてください。その後、{client} に許可する操作を選びます。',
  'consent.sign_in': 'アカウントにサインイン',
  'consent.cancel': 'キャンセル',
  'consent.as_administrator': '{application} の管理者です',
  'consent.administrator': '管理者として決定します ({name})。',
  'consent.administrator_sign_in': '先にダッシュボードにサインインし、このページをもう一度開いてください。',
  'consent.dashboard': 'ダッシュボードを開く',
  'consent.need_rights': 'この決定はできません。アプリケーションの変更と顧客データの閲覧の権限が必要です。',
  'consent.accounts': 'どのアカウントですか？',
  'consent.search': 'アカウントを検索',
  'consent.no_accounts': 'アカウントが見つかりません。',
  'consent.rights': '何を許可しますか？',
  'consent.careful': '(注意)',
  'consent.ask': '実行前に確認する操作',
  'consent.ask_why': 'これらの操作は、実行の前に毎回承認が必要です。',
  'consent.allow': '許可',
  'consent.deny': '拒否',
  'consent.later': 'いつでも切断できます。',
  'consent.choose_account': 'アカウントを 1 つ以上選んでください。',
  'consent.choose_right': '権限を 1 つ以上選んでください。',
  'consent.stop_title': '接続できません',
  'consent.stop_advice':
    '元のプログラムに戻り、もう一度始めてください。解決しない場合は、その運営者に連絡してください。',
  'consent.no_application':
    'このアドレスではアプリケーションがわからないか、アプリケーションがエージェントを許可していません。サービスの運営者にアプリケーションのアドレスを確認してください。',
}
