import type { Paged } from '@befaqt/domain/api/box-api'
import type { TradeBox, TradeChoice } from '@befaqt/domain/api/box-trade-api'
import { lackingElements } from '@befaqt/domain/epcis/elements'
import { eventsOfBox } from '@befaqt/domain/epcis/events-of-box'
import { blankColumns, lackingTexts } from '@befaqt/domain/epcis/fsma'
import { timeText } from '#server/db/stored-values.ts'
import { pageOf } from '#server/http/list-query.ts'
import type { Principal } from '#server/identity/principal.ts'
import { chosenBoxes, idsOf } from './chosen-boxes.ts'
import { type FsmaDeps, fsmaLineOf } from './fsma-csv.ts'
import { readEpcisSource } from './read-epcis.ts'

/** Boxes of a page: each is read with its whole history. */
const PAGE = 20

/** The boxes of a choice, and what their documents would not hold. @throws ShopError as `chosenBoxes` */
export async function listTrade(
  deps: FsmaDeps,
  principal: Principal,
  choice: TradeChoice & { page?: number | undefined },
): Promise<Paged<TradeBox>> {
  const { page, size, offset } = pageOf({ page: choice.page, size: PAGE })
  const { where, total } = await chosenBoxes(deps, principal, choice)
  const rows: TradeBox[] = []
  for (const { id, caughtAt, recalled } of await idsOf(deps.db, where, { size, offset })) {
    const source = await readEpcisSource(deps, id)
    const events = eventsOfBox(source)
    rows.push({
      boxID: id,
      species: source.box.catchProv?.species ?? '',
      caughtAt: timeText(caughtAt),
      events: events.length,
      recalled,
      lacking: lackingTexts(lackingElements(events)),
      blank: blankColumns(fsmaLineOf(deps, source)),
    })
  }
  return { rows, page, size, total }
}
