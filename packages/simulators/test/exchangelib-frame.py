# Signs in, works with folders, synchronizes and listens as exchangelib does, and prints the results as JSON.
import json
import sys

from exchangelib import (
    BASIC, DELEGATE, IMPERSONATION, NTLM, Account, Build, Configuration, Credentials, Version, errors,
)
from exchangelib.folders import Calendar, Contacts, Messages

endpoint, user, password, domain_user, service, service_password = sys.argv[1:7]
seen = {}


def open_account(name, auth_type, version=None, email=user, access_type=DELEGATE, secret=password):
    config = Configuration(
        service_endpoint=endpoint, credentials=Credentials(name, secret), auth_type=auth_type, version=version,
    )
    return Account(primary_smtp_address=email, config=config, autodiscover=False, access_type=access_type)


explicit = open_account(user, BASIC, Version(Build(15, 1, 2507, 39)))
seen['basic'] = explicit.inbox.name
account = open_account(domain_user, NTLM)
seen['probed'] = [account.version.build.major_version, account.version.api_version.startswith('Exchange2')]
seen['ntlm'] = account.inbox.id == explicit.inbox.id
try:
    open_account(user, BASIC, secret='wrong').inbox.refresh()
except errors.UnauthorizedError:
    seen['refused'] = True
impersonated = open_account(service, NTLM, access_type=IMPERSONATION, secret=service_password)
seen['impersonated'] = impersonated.inbox.id == explicit.inbox.id

root = account.msg_folder_root
seen['folders'] = sorted(folder.name for folder in root.children if folder.name in ('Inbox', 'Calendar', 'Contacts', 'Tasks'))
seen['kinds'] = [isinstance(account.calendar, Calendar), isinstance(account.contacts, Contacts)]
made = Messages(parent=account.inbox, name='Made')
made.save()
made.name = 'Renamed'
made.save(update_fields=['name'])
seen['found'] = [folder.name for folder in account.inbox.walk()]
made.move(account.sent)
seen['moved'] = [folder.name for folder in account.sent.walk()]
seen['deep'] = (account.sent / 'Renamed').absolute

changes = list(root.sync_hierarchy())
seen['hierarchy'] = len([kind for kind, _ in changes if kind == 'create']) > 10
made.delete()
seen['gone'] = [kind for kind, _ in root.sync_hierarchy()]

items = list(account.inbox.sync_items(max_changes_returned=2))
seen['items'] = [[kind, item.subject] for kind, item in items]
seen['again'] = list(account.inbox.sync_items())

subscription_id, watermark = account.inbox.subscribe_to_pull()
Messages(parent=account.inbox, name='Watched').save()
seen['pulled'] = [
    type(event).__name__
    for notification in account.inbox.get_events(subscription_id, watermark)
    for event in notification.events
]
account.inbox.unsubscribe(subscription_id)

# The other half of the test delivers a message when this line is read.
streaming_id = account.inbox.subscribe_to_streaming()
print('listening', flush=True)
streamed = [
    type(event).__name__
    for notification in account.inbox.get_streaming_events(
        streaming_id, connection_timeout=1, max_notifications_returned=2,
    )
    for event in notification.events
]
seen['streamed'] = streamed
account.inbox.unsubscribe(streaming_id)

resolved = account.protocol.resolve_names([user], return_full_contact_data=True)
seen['resolved'] = [[mailbox.email_address, contact.display_name] for mailbox, contact in resolved]
print(json.dumps(seen))
