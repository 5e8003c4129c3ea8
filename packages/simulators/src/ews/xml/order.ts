// The schema's order of elements in items and folders. Other modules provide elements in any order.
import type { Xml } from './write.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const item = words(`
  MimeContent ItemId ParentFolderId ItemClass Subject Sensitivity Body Attachments DateTimeReceived Size Categories Importance
  InReplyTo IsSubmitted IsDraft IsFromMe IsResend IsUnmodified InternetMessageHeaders DateTimeSent DateTimeCreated
  ResponseObjects ReminderDueBy ReminderIsSet ReminderNextTime ReminderMinutesBeforeStart DisplayCc DisplayTo DisplayBcc
  HasAttachments ExtendedProperty Culture EffectiveRights LastModifiedName LastModifiedTime IsAssociated
  WebClientReadFormQueryString WebClientEditFormQueryString ConversationId UniqueBody Flag StoreEntryId InstanceKey
  NormalizedBody PolicyTag ArchiveTag RetentionDate Preview BlockStatus HasBlockedImages TextBody IconIndex`)

const message = words(`
  Sender ToRecipients CcRecipients BccRecipients IsReadReceiptRequested IsDeliveryReceiptRequested ConversationIndex
  ConversationTopic From InternetMessageId IsRead IsResponseRequested References ReplyTo ReceivedBy ReceivedRepresenting`)

const meeting = words(`
  AssociatedCalendarItemId IsDelegated IsOutOfDate HasBeenProcessed ResponseType UID RecurrenceId DateTimeStamp IsOrganizer`)

const folder = words(`
  FolderId ParentFolderId FolderClass DisplayName TotalCount ChildFolderCount ExtendedProperty ManagedFolderInformation
  EffectiveRights DistinguishedFolderId`)

const recurringMeeting = words(`
  ConflictingMeetingCount AdjacentMeetingCount ConflictingMeetings AdjacentMeetings Duration TimeZone AppointmentReplyTime
  AppointmentSequenceNumber AppointmentState Recurrence FirstOccurrence LastOccurrence ModifiedOccurrences
  DeletedOccurrences MeetingTimeZone StartTimeZone EndTimeZone ConferenceType AllowNewTimeProposal IsOnlineMeeting
  MeetingWorkspaceUrl NetShowUrl EnhancedLocation`)

/** Keyed by element name. */
export const order = {
  Item: item,
  Message: [...item, ...message],
  CalendarItem: [
    ...item,
    ...words(`UID RecurrenceId DateTimeStamp Start End OriginalStart IsAllDayEvent LegacyFreeBusyStatus Location When IsMeeting
      IsCancelled IsRecurring MeetingRequestWasSent IsResponseRequested CalendarItemType MyResponseType Organizer
      RequiredAttendees OptionalAttendees Resources`),
    ...recurringMeeting,
    ...words(`StartWallClock EndWallClock StartTimeZoneId EndTimeZoneId IntendedFreeBusyStatus JoinOnlineMeetingUrl
      OnlineMeetingSettings IsOrganizer`),
  ],
  Contact: [
    ...item,
    ...words(`FileAs FileAsMapping DisplayName GivenName Initials MiddleName Nickname CompleteName CompanyName EmailAddresses
      PhysicalAddresses PhoneNumbers AssistantName Birthday BusinessHomePage Children Companies ContactSource Department
      Generation ImAddresses JobTitle Manager Mileage OfficeLocation PostalAddressIndex Profession SpouseName Surname
      WeddingAnniversary HasPicture PhoneticFullName PhoneticFirstName PhoneticLastName Alias Notes Photo
      UserSMIMECertificate MSExchangeCertificate DirectoryId ManagerMailbox DirectReports`),
  ],
  DistributionList: [...item, ...words('DisplayName FileAs ContactSource Members')],
  MeetingMessage: [...item, ...message, ...meeting],
  MeetingRequest: [
    ...item,
    ...message,
    ...meeting,
    ...words(`MeetingRequestType IntendedFreeBusyStatus Start End OriginalStart IsAllDayEvent LegacyFreeBusyStatus Location When
      IsMeeting IsCancelled IsRecurring MeetingRequestWasSent CalendarItemType MyResponseType Organizer RequiredAttendees
      OptionalAttendees Resources`),
    ...recurringMeeting,
    ...words('ChangeHighlights StartWallClock EndWallClock StartTimeZoneId EndTimeZoneId'),
  ],
  MeetingResponse: [
    ...item,
    ...message,
    ...meeting,
    ...words('Start End Location Recurrence CalendarItemType ProposedStart ProposedEnd EnhancedLocation'),
  ],
  MeetingCancellation: [
    ...item,
    ...message,
    ...meeting,
    ...words('Start End Location Recurrence CalendarItemType EnhancedLocation'),
  ],
  Task: [
    ...item,
    ...words(`ActualWork AssignedTime BillingInformation ChangeCount Companies CompleteDate Contacts DelegationState Delegator
      DueDate IsAssignmentEditable IsComplete IsRecurring IsTeamTask Mileage Owner PercentComplete Recurrence StartDate Status
      StatusDescription TotalWork`),
  ],
  PostItem: [
    ...item,
    ...words('ConversationIndex ConversationTopic From InternetMessageId IsRead PostedTime References Sender'),
  ],
  Folder: [...folder, 'PermissionSet', 'UnreadCount'],
  CalendarFolder: [...folder, 'SharingEffectiveRights', 'PermissionSet'],
  ContactsFolder: [...folder, 'SharingEffectiveRights', 'PermissionSet'],
  TasksFolder: [...folder, 'PermissionSet', 'UnreadCount'],
  SearchFolder: [...folder, 'PermissionSet', 'UnreadCount', 'SearchParameters'],
} as const satisfies Record<string, readonly string[]>

export type ItemElement = Exclude<keyof typeof order, FolderElement>
export type FolderElement = 'Folder' | 'CalendarFolder' | 'ContactsFolder' | 'TasksFolder' | 'SearchFolder'

/** Sorts elements in the order of the schema; an unknown element is a bug of this simulator. */
export function ordered(of: keyof typeof order, elements: readonly Xml[]): Xml[] {
  const names: readonly string[] = order[of]
  const place = ({ tag }: Xml): number => {
    const index = names.indexOf(tag.slice(tag.indexOf(':') + 1))
    if (index < 0) throw new Error(`${tag} has no place in ${of}`)
    return index
  }
  return elements.toSorted((left, right) => place(left) - place(right))
}
