# Works with mail as exchangelib does, and prints the results as JSON.
import json
import sys
from datetime import datetime, timedelta, timezone

from exchangelib import (
    BASIC, DELEGATE, Account, Body, Configuration, Credentials, FileAttachment, Folder, HTMLBody, ItemAttachment, Message,
    Q,
)
from exchangelib.extended_properties import Flag
from exchangelib.folders import Messages

endpoint, user, other, password = sys.argv[1:5]
seen = {}
Message.register('flag', Flag)
config = Configuration(service_endpoint=endpoint, credentials=Credentials(user, password), auth_type=BASIC)
account = Account(primary_smtp_address=user, config=config, autodiscover=False, access_type=DELEGATE)
seen['version'] = account.version.build.major_version

inbox = account.inbox
seen['list'] = [
    [item.subject, item.sender.email_address, item.is_read, [to.email_address for to in item.to_recipients or []]]
    for item in inbox.all().order_by('-datetime_received')
]
seen['only'] = list(inbox.all().order_by('subject').values_list('subject', flat=True))
seen['filter'] = list(inbox.filter(subject__icontains='second', is_read=False).values_list('subject', flat=True))
seen['either'] = inbox.filter(Q(subject__startswith='First') | Q(subject='Third')).count()
seen['query'] = [item.subject for item in inbox.filter('subject:Thi')]
seen['none'] = inbox.filter(subject__contains='nowhere').count()
seen['since'] = inbox.filter(datetime_received__gt=datetime(2026, 1, 2, tzinfo=timezone.utc)).count()
first = inbox.get(subject='First')
seen['whole'] = {
    'text_body': first.text_body,
    'body': first.body,
    'headers': {header.name: header.value for header in first.headers or []}.get('X-Own'),
    'mime': b'X-Own: mine' in first.mime_content,
    'conversation': first.conversation_id is not None,
    'message_id': first.message_id,
    'unique': first.unique_body,
    'categories': first.categories,
}

draft = Message(
    account=account, folder=account.drafts, subject='Draft', body=HTMLBody('<p>Hello</p>'),
    to_recipients=[other], cc_recipients=['bob@example.com'], categories=['Blue'], importance='High',
)
draft.attach(FileAttachment(name='a.txt', content=b'Hello', is_inline=False))
draft.save()
late = FileAttachment(name='b.txt', content=b'More', content_type='text/plain')
draft.attach(late)
draft.attach(ItemAttachment(name='inner', item=Message(subject='Inner', body=Body('deep'))))
again = account.drafts.get(subject='Draft')
seen['attachments'] = sorted(
    [each.name, each.content.decode() if isinstance(each, FileAttachment) else each.item.subject] for each in again.attachments
)
draft.detach(late)
draft.subject = 'Final'
draft.flag = 2
draft.save(update_fields=['subject', 'flag'])
draft.refresh()
seen['updated'] = [draft.subject, draft.flag, len(draft.attachments), draft.importance]
draft.send()
seen['sent'] = [
    [item.subject, item.is_draft, [to.email_address for to in item.to_recipients]] for item in account.sent.all()
]
seen['drafts'] = account.drafts.all().count()

Message(account=account, folder=account.sent, subject='Straight', body='Text', to_recipients=[other]).send_and_save()
seen['straight'] = account.sent.filter(subject='Straight').count()

first.reply(subject='RE: First', body='Thanks', to_recipients=['carol@example.net'])
first.forward(subject='FW: First', body='See', to_recipients=[other])
first.refresh()
seen['answered'] = sorted(item.subject for item in account.sent.all())

folder = Messages(parent=account.msg_folder_root, name='Projects')
folder.save()
second = inbox.get(subject='Second')
old = second.id
second.move(folder)
seen['moved'] = [second.id != old, folder.all().count(), folder.get(subject='Second').subject]
copied = second.copy(account.junk)
seen['copied'] = [copied[0] != second.id, account.junk.all().count()]
second.is_read = True
second.save(update_fields=['is_read'])
seen['read'] = folder.get(subject='Second').is_read
second.move_to_trash()
seen['trash'] = [item.subject for item in account.trash.all()]
account.junk.all().delete()
seen['junk'] = account.junk.all().count()
third = inbox.get(subject='Third')
third.soft_delete()
seen['left'] = [item.subject for item in inbox.all()]
seen['bulk'] = [
    len(account.bulk_create(account.drafts, [Message(subject=f'Bulk {n}', body='x') for n in range(5)])),
    account.drafts.all().count(),
    len(list(account.fetch(account.drafts.all().only('id')))),
]
seen['synced'] = sorted(change for change, item in account.drafts.sync_items())
print(json.dumps(seen))
