// How a part of EWS (mail, calendar, contacts, …) joins the simulator:
//
// 1. Its folder, `ews/<part>/`, exports an `ExchangePart`. `parts.ts` lists it; nothing else has to know its operations.
// 2. An operation is a handler by the name of its request element (`GetItem`). It is given an `EwsCall` and answers the element
//    of the response: `answerEach` for `ResponseMessages` with one of each thing asked for, `answerOne` where one thing is
//    asked for, `answerWhole` for operations without `ResponseMessages` (all in `soap/answers.ts`).
// 3. Failures are thrown as `EwsError`s: of one item inside `answerEach`, of the whole request (a SOAP fault) elsewhere.
// 4. XML is read with `childOf`, `textOf`, … (`xml/read.ts`), whatever prefixes the client uses, and written as
//    `element('t:Subject', …)` (`xml/write.ts`). The order of the elements of items and folders is that of `xml/order.ts`.
// 5. Items are kept by the mailbox (`store/mailbox.ts`): `add`, `change`, `changeRead`, `move`, `copy`, `remove` give ids and
//    change keys, keep the logs that synchronisation reads and tell the subscriptions. What a part knows of an item is its
//    `content`. Folders and items that a request names are found with `folderOf` and `itemOf` (`store/lookup.ts`), which look
//    at rights too.
// 6. A type of items is an `ItemType` (`model.ts`): a list of `Field`s from which shapes (`IdOnly`, `Default`,
//    `AllProperties`, `AdditionalProperties`), restrictions, sort orders and updates come. `itemXml` (`shapes/item-shape.ts`)
//    writes an item as a request wants it.
// 7. What tests do without the API (`account.mail`, …) is opened for every account in `account.ts`; state that is no item
//    belongs to an account too: keep it in a `WeakMap<Account, …>` of the part.
export type { ExchangePart, Handler } from './model.ts'
