# Works with calendars and contacts as exchangelib does, and prints the results as JSON.
import json
import sys
from datetime import timedelta

from exchangelib import (
    BASIC, DELEGATE, Account, CalendarItem, Configuration, Contact, Credentials, EWSDate, EWSDateTime, EWSTimeZone,
    ExtendedProperty, FileAttachment, UID,
)
from exchangelib.fields import MONDAY
from exchangelib.folders import Calendar, Contacts
from exchangelib.indexed_properties import EmailAddress, PhoneNumber, PhysicalAddress
from exchangelib.items import (
    MeetingCancellation, MeetingRequest, MeetingResponse, SEND_TO_ALL_AND_SAVE_COPY, SEND_TO_NONE,
)
from exchangelib.recurrence import Recurrence, WeeklyPattern



class GlobalId(ExtendedProperty):
    distinguished_property_set_id = 'Meeting'
    property_id = 3
    property_type = 'Binary'


CalendarItem.register('global_id', GlobalId)
endpoint, user, other, room_list, password = sys.argv[1:6]
seen = {}


def open_account(address):
    config = Configuration(service_endpoint=endpoint, credentials=Credentials(address, password), auth_type=BASIC)
    return Account(primary_smtp_address=address, config=config, autodiscover=False, access_type=DELEGATE)


account, guest = open_account(user), open_account(other)
zone = EWSTimeZone('Europe/Berlin')


def at(day, hour, month=7):
    return EWSDateTime(2026, month, day, hour, tzinfo=zone)


def view(of=account, month=7):
    items = of.calendar.view(start=at(1, 0, month), end=at(31, 0, month))
    return sorted((item for item in items), key=lambda item: item.start)


# Events
single = CalendarItem(
    account=account, folder=account.calendar, subject='Single', start=at(1, 9), end=at(1, 10), location='Here',
    body='Text', categories=['Red'], reminder_minutes_before_start=5, legacy_free_busy_status='OOF',
)
single.save(send_meeting_invitations=SEND_TO_NONE)
foreign = CalendarItem(
    account=account, folder=account.calendar, subject='Foreign', start=at(3, 9, 8), end=at(3, 10, 8), uid='1@elsewhere.test',
)
foreign.save(send_meeting_invitations=SEND_TO_NONE)
seen['foreign'] = [item.uid for item in account.calendar.filter(global_id=UID('1@elsewhere.test'))]
day = CalendarItem(
    account=account, folder=account.calendar, subject='Day', start=EWSDate(2026, 7, 2), end=EWSDate(2026, 7, 2),
    is_all_day=True,
)
day.save(send_meeting_invitations=SEND_TO_NONE)
seen['events'] = [
    [item.subject, str(item.start), str(item.end), item.location, item.legacy_free_busy_status, item.type]
    for item in view()
]
fetched = account.calendar.get(id=single.id)
seen['whole'] = [
    fetched.text_body, fetched.categories, fetched.reminder_minutes_before_start, str(fetched._start_timezone),
    fetched.my_response_type, fetched.is_meeting, fetched.organizer.email_address == user,
]
single.subject = 'Changed'
single.start, single.end = at(1, 11), at(1, 12)
single.save(update_fields=['subject', 'start', 'end'], send_meeting_invitations=SEND_TO_NONE)
seen['changed'] = [[item.subject, str(item.start)] for item in view()][0]
seen['byUid'] = [item.subject for item in account.calendar.filter(global_id=bytes.fromhex(fetched.uid))]
single.delete(send_meeting_cancellations=SEND_TO_NONE)
day.delete(send_meeting_cancellations=SEND_TO_NONE)
seen['left'] = len(view())

# Series
series = CalendarItem(
    account=account, folder=account.calendar, subject='Weekly', start=at(5, 9, 10), end=at(5, 10, 10),
    recurrence=Recurrence(pattern=WeeklyPattern(interval=1, weekdays=[MONDAY]), start=EWSDate(2026, 10, 5), number=4),
)
series.save(send_meeting_invitations=SEND_TO_NONE)
occurrences = view(month=10)
seen['occurrences'] = [[str(item.start.astimezone(zone)), item.type] for item in occurrences]
exception = occurrences[1]
exception.subject = 'Later'
exception.start += timedelta(hours=2)
exception.end += timedelta(hours=2)
exception.save(update_fields=['subject', 'start', 'end'], send_meeting_invitations=SEND_TO_NONE)
occurrences[2].delete(send_meeting_cancellations=SEND_TO_NONE)
master = account.calendar.get(id=series.id)
third = series.occurrence(index=4)
third.refresh()
seen['master'] = {
    'type': master.type,
    'first': str(master.first_occurrence.start.astimezone(zone)),
    'last': str(master.last_occurrence.start.astimezone(zone)),
    'modified': [str(each.start.astimezone(zone)) for each in master.modified_occurrences],
    'deleted': [str(each.start.astimezone(zone)) for each in master.deleted_occurrences],
    'pattern': str(master.recurrence.pattern),
    'number': master.recurrence.boundary.number,
    'fourth': str(third.start.astimezone(zone)),
    'leads': third.recurring_master().id == series.id or account.calendar.get(id=series.id).id == series.id,
}
seen['after'] = [[item.subject, item.type] for item in view(month=10)]
series.delete(send_meeting_cancellations=SEND_TO_NONE)

# Meetings
meeting = CalendarItem(
    account=account, folder=account.calendar, subject='Meeting', start=at(6, 9), end=at(6, 10),
    required_attendees=[other], optional_attendees=['somebody@elsewhere.test'],
)
meeting.save(send_meeting_invitations=SEND_TO_ALL_AND_SAVE_COPY)
request = guest.inbox.get(subject='Meeting')
seen['request'] = [isinstance(request, MeetingRequest), request.organizer.email_address, request.meeting_request_type]
seen['tentative'] = [item.legacy_free_busy_status for item in view(guest)]
request.accept(body='Fine')
seen['accepted'] = [[item.legacy_free_busy_status, item.my_response_type] for item in view(guest)]
meeting.refresh()
seen['status'] = [[each.mailbox.email_address, each.response_type] for each in meeting.required_attendees]
response = account.inbox.get(subject='Accepted: Meeting')
seen['response'] = [isinstance(response, MeetingResponse), response.text_body]
view(guest)[0].decline()
meeting.refresh()
seen['declined'] = [len(view(guest)), meeting.required_attendees[0].response_type]
meeting.cancel(body='Sorry')
seen['cancelled'] = [isinstance(guest.inbox.get(subject='Canceled: Meeting'), MeetingCancellation), len(view())]

# Free/busy times
CalendarItem(
    account=guest, folder=guest.calendar, subject='Busy', start=at(8, 9), end=at(8, 10),
).save(send_meeting_invitations=SEND_TO_NONE)
for info in account.protocol.get_free_busy_info(
    accounts=[(guest, 'Required', False)], start=at(8, 0), end=at(9, 0), requested_view='FreeBusyMerged',
    merged_free_busy_interval=60,
):
    seen['busy'] = [info.merged, [[str(each.start), str(each.end), each.busy_type] for each in info.calendar_events]]
lists = account.protocol.get_roomlists()
seen['rooms'] = [[each.email_address for each in account.protocol.get_rooms(room_list)], len(list(lists))]

# Contacts
contact = Contact(
    account=account, folder=account.contacts, given_name='Mary', surname='Shelley', display_name='Mary Shelley',
    email_addresses=[EmailAddress(label='EmailAddress1', email='mary@mill.test')],
    phone_numbers=[PhoneNumber(label='MobilePhone', phone_number='+44')],
    physical_addresses=[PhysicalAddress(label='Home', street='Fleet', city='London', country='UK')],
    birthday=EWSDate(1797, 8, 30), company_name='Books',
)
contact.save()
found = account.contacts.get(given_name='Mary')
seen['contact'] = [
    found.display_name, [each.email for each in found.email_addresses],
    [[each.label, each.phone_number] for each in found.phone_numbers if each.phone_number],
    [[each.label, each.city] for each in found.physical_addresses], str(found.birthday), found.complete_name.full_name,
]
contact.email_addresses = [EmailAddress(label='EmailAddress2', email='other@mill.test')]
contact.job_title = 'Author'
contact.save(update_fields=['email_addresses', 'job_title'])
contact.refresh()
seen['contactChanged'] = [[[each.label, each.email] for each in contact.email_addresses], contact.job_title]
contact.attach(FileAttachment(name='ContactPicture.jpg', content=b'picture', is_contact_photo=True))
contact.refresh()
seen['picture'] = contact.has_picture
folder = Contacts(parent=account.contacts, name='Poets')
folder.save()
contact.move(folder)
seen['contactMoved'] = [account.contacts.all().count(), folder.all().count()]
seen['contactFilter'] = folder.filter(company_name='Books').count()
contact.delete()
seen['contactsLeft'] = folder.all().count()
calendar = Calendar(parent=account.calendar, name='Second')
calendar.save()
seen['calendars'] = sorted(each.name for each in account.calendar.children)
print(json.dumps(seen))
