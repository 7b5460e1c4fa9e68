import {
  type BulkUpdate,
  type ChosenProducts,
  changeProducts,
  duplicateProducts,
  previewChanges,
  undoChanges,
} from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { BulkPreview, CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import type { ManagedList } from '../edited-list/use-managed-list.ts'
import { bulkPreview, type ProductValues } from './product-values.ts'

/** All that match, as the list counted them. */
export type Everything = Extract<ChosenProducts, { count: number }>

export type BulkProps = {
  list: ManagedList<ManagedProduct, ProductValues>
  categories: readonly CategoryChoice[]
  selected: readonly ManagedProduct[]
  /** Null: those that are selected on the page alone. */
  everything: Everything | null
}

/** What would change, before it does. */
export type Question = { preview: BulkPreview; answer: (yes: boolean) => void }

/** So many products, as text. */
export const counted = (n: number): string =>
  `${n.toLocaleString('en-AU')} ${n === 1 ? 'product' : 'products'}`

/** What an undo has come to: how many products it put back, and how many it left as they are. */
function undoneText(undone: number, left: number): string {
  if (left === 0) return 'Undone.'
  const stays = `${counted(left)} changed since ${left === 1 ? 'stays as it is' : 'stay as they are'}.`
  return undone === 0 ? `Nothing was undone: ${stays}` : `Undone for ${counted(undone)}; ${stays}`
}

/** These rows with what the shop says that is different of them now. */
function answered<Answer extends { _id: string }>(
  rows: readonly ManagedProduct[],
  answers: readonly Answer[],
): ManagedProduct[] {
  const byId = new Map(rows.map((row) => [row._id, row]))
  return answers.flatMap((answer) => {
    const row = byId.get(answer._id)
    return row ? { ...row, ...answer } : []
  })
}

/**
 * The same change for all selected products, shown at once and taken off when the shop refuses; it can be undone. Where
 * all that match are selected, also those that are out of sight, it asks first, with what would change.
 */
export function useBulk({ list, categories, selected, everything }: BulkProps) {
  const [changes, setChanges] = useState<readonly number[]>([])
  const undoing = useCall()
  const copying = useCall()
  /** Of a request for copies that was not answered yet. */
  const unanswered = useRef<{ key: string; asked: string } | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const { revalidate } = useRevalidator()
  const chosen: ChosenProducts = everything ?? { ids: selected.map(({ _id }) => _id) }
  /** Shows what was refused; where others match than were counted, the list is read again for how many. */
  const fail = async (error: unknown) => {
    list.fail(error)
    if (error instanceof ShopError && typeof error.details.count === 'number') await revalidate()
  }
  const ask = async (set: BulkUpdate): Promise<boolean> => {
    const preview = await callApi(previewChanges, { body: { ...chosen, set } })
    return new Promise((resolve) => {
      const answer = (yes: boolean) => {
        setQuestion(null)
        resolve(yes)
      }
      setQuestion({ preview, answer })
    })
  }
  const placed = (row: ManagedProduct): ManagedProduct => {
    const place = categories.find(({ _id }) => _id === row.category_id)
    return { ...row, categoryTitle: place?.title ?? row.categoryTitle }
  }
  /** Answers whether the shop has made the change. */
  const change = async (set: BulkUpdate): Promise<boolean> => {
    list.begin()
    try {
      if (everything && !(await ask(set))) return false
      await list.changeMany(
        selected.map((row) => placed(bulkPreview(row, set))),
        async () => {
          const { rows } = await callApi(changeProducts, { body: { ...chosen, set } })
          setChanges(rows.map(({ change }) => change))
          list.setStatus(
            rows.length === 0 ? 'Nothing had to be changed.' : `Changed ${counted(rows.length)}.`,
          )
          return answered(selected, rows).map(placed)
        },
      )
      return true
    } catch (error) {
      await fail(error)
      return false
    }
  }
  const undo = async () => {
    list.begin()
    try {
      await list.changeMany([], async () => {
        const { rows, removed, left } = await callApi(undoChanges, { body: { changes: [...changes] } })
        setChanges([])
        list.setStatus(undoneText(rows.length + removed.length, left.length))
        return answered(list.rows, rows).map(placed)
      })
    } catch (error) {
      list.fail(error)
    }
  }
  /** Sent again after an answer that was lost, the same copies are not made twice. */
  const duplicate = async () => {
    const asked = JSON.stringify(chosen)
    const before = unanswered.current
    const key = before?.asked === asked ? before.key : crypto.randomUUID()
    unanswered.current = { key, asked }
    list.begin()
    try {
      await list.changeMany([], async () => {
        const { rows } = await callApi(duplicateProducts, { body: { ...chosen, key } })
        unanswered.current = null
        setChanges(rows.map(({ change }) => change))
        list.setStatus(
          `Made ${rows.length === 1 ? 'a copy, a draft' : `${rows.length} copies, drafts`} without stock.`,
        )
        return []
      })
    } catch (error) {
      await fail(error)
    }
  }
  return {
    change,
    question,
    duplicate: () => copying.run(duplicate),
    copying: copying.busy,
    undo: changes.length > 0 ? () => undoing.run(undo) : null,
    undoing: undoing.busy,
  }
}
