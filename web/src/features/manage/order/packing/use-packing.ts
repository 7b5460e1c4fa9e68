import { packOrder } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrder, OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useDraft } from '#web/forms/use-kept-form.ts'
import {
  boxesBeside,
  boxesOf,
  hasErrors,
  isUnchanged,
  lineErrors,
  noBoxOf,
  type OrderLine,
  packedLines,
  type TypedLine,
  type TypedLines,
  typedLines,
  withEarliest,
} from './packing.ts'

/** What is typed of an order that is being packed: kept over a reload, sent line by line where it differs. */
export function usePacking(order: ManagedOrder) {
  const form = useDraft(`packing ${order._id}`, () => preselected(order))
  const [tried, setTried] = useState(false)
  const { revalidate } = useRevalidator()
  const lines = order.lines.filter(({ leftOut }) => leftOut === null)
  const typedOfLine = ({ position }: OrderLine): TypedLine => form.draft[position] ?? noLine
  const boxesFor = (line: OrderLine) => boxesBeside(line, order, form.draft)
  const errors = (line: OrderLine) =>
    lineErrors(
      line,
      typedOfLine(line),
      (boxID) => boxesOf(line, boxesFor(line)).find((box) => box.boxID === boxID)?.left ?? null,
      order.boxed.includes(line.position),
    )
  const changed = lines.filter((line) => !isUnchanged(line, typedOfLine(line), noBoxOf(line, order.noBox)))
  return {
    typed: form.draft,
    typedOfLine,
    /** What a line may come from: lines of one product take one after the other. */
    boxesFor,
    errors,
    /** Lines that are typed otherwise than saved. */
    changed,
    tried,
    change: (line: OrderLine, now: TypedLine) => form.change({ ...form.draft, [line.position]: now }),
    /** Shows what is wrong with what is to be saved. @returns whether nothing is */
    check: (): boolean => {
      setTried(true)
      return !changed.some((line) => hasErrors(errors(line)))
    },
    /** Saves what differs. @throws ShopError; what somebody else changed is read then, and what is typed stays */
    send: async (): Promise<OrderView> => {
      const body = { lines: packedLines(lines, form.draft, order.noBox) }
      try {
        const saved = await callApi(packOrder, { params: { id: order._id }, body, version: order.version })
        form.saved()
        setTried(false)
        return saved
      } catch (error) {
        if (error instanceof ShopError && error.code === 'version.stale') void revalidate()
        throw error
      }
    },
    discard: form.discard,
  }
}

const noLine: TypedLine = { grams: '', scale: '', boxes: [], noBox: null }

/** As it is saved; what is counted and has no box yet gets the earliest one. */
function preselected(order: ManagedOrder): TypedLines {
  const typed: Record<number, TypedLine> = { ...typedLines(order.lines, order.noBox) }
  for (const line of order.lines) {
    const boxes = boxesOf(line, boxesBeside(line, order, typed))
    typed[line.position] = withEarliest(line, typed[line.position] ?? noLine, boxes)
  }
  return typed
}
