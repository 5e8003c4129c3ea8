// How a part of EWS (mail, calendar, contacts, …) joins the simulator:
//
// 1. Its folder, `ews/<part>/`, exports an `ExchangePart`. `parts.ts` lists it; no other module needs its operations.
// 2. An operation is a handler, keyed by the name of its request element (`GetItem`). It receives an `EwsCall` and
//    returns the response element: `answerEach` for `ResponseMessages` with one message per requested thing,
//    `answerOne` for a single thing, `answerWhole` for operations without `ResponseMessages` (all in `soap/answers.ts`).
// 3. Failures are thrown as `EwsError`s: for one item inside `answerEach`, for the whole request (a SOAP fault)
//    elsewhere.
// 4. XML is read with `childOf`, `textOf`, … (`xml/read.ts`), whatever prefixes the client uses, and written as
//    `element('t:Subject', …)` (`xml/write.ts`). `xml/order.ts` defines the order of elements in items and folders.
// 5. The mailbox stores items (`store/mailbox.ts`): `add`, `change`, `changeRead`, `move`, `copy`, `remove` assign
//    ids and change keys, record changes for synchronization and notify subscriptions. A part's data of an item is its
//    `content`. `folderOf` and `itemOf` (`store/lookup.ts`) find the folders and items that a request names, and check
//    access rights.
// 6. An item type is an `ItemType` (`model.ts`): a list of `Field`s that defines shapes (`IdOnly`, `Default`,
//    `AllProperties`, `AdditionalProperties`), restrictions, sort orders and updates. `itemXml` (`shapes/item-shape.ts`)
//    writes an item in the requested shape.
// 7. Operations for tests (`account.mail`, …) are opened for every account in `account.ts`. State that is not an item
//    belongs to an account too: store it in a `WeakMap<Account, …>` of the part.
export type { ExchangePart, Handler } from './model.ts'
