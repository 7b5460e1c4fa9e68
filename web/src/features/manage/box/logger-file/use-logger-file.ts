import {
  importLoggerFile,
  listColumnMaps,
  previewLoggerFile,
  saveColumnMap,
} from '@befaqt/domain/api/endpoints/devices'
import { fittingMaps } from '@befaqt/domain/device-formats/guess-columns'
import type {
  ColumnMap,
  FilePreview,
  FileReport,
  NamedColumnMap,
} from '@befaqt/domain/device-formats/logger-file'
import { ShopError } from '@befaqt/domain/errors'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useDirty } from '#web/forms/dirty-guard.tsx'
import type { Columns } from './csv.ts'

/** As the server: the body of many readings. */
const MAX_BYTES = 1024 * 1024
/** Lines that are imported by one request: a few seconds. */
const PART = 2_000

export type Layout = Pick<ColumnMap, 'delimiter' | 'headerLine'>
export type OpenFile = { name: string; bytes: Blob; preview: FilePreview; maps: NamedColumnMap[] }

type Work = 'reading' | 'trying' | 'importing'

/** `progress`: of an import, from 0 to 1. */
type State = {
  file: OpenFile | null
  work: Work | null
  progress: number
  failure: unknown
  columns: Columns | null
  report: FileReport | null
}

const NOTHING: State = {
  file: null,
  work: null,
  progress: 0,
  failure: null,
  columns: null,
  report: null,
}

/** A logger's file on its way into a box: opened, tried, imported in parts. Until it is, leaving the page asks. */
export function useLoggerFile(boxID: string, onImported: () => void) {
  const [state, setState] = useState<State>(NOTHING)
  const close = () => setState(NOTHING)
  const { setDirty } = useDirty('logger file', close)
  const isUnderWay = state.file !== null && !state.report?.applied
  useEffect(() => setDirty(isUnderWay), [setDirty, isUnderWay])
  const change = (news: Partial<State>) => setState((before) => ({ ...before, ...news }))
  const work = async (kind: Work, run: () => Promise<Partial<State>>) => {
    change({ work: kind, failure: null })
    try {
      change({ ...(await run()), work: null })
    } catch (failure) {
      change({ failure, work: null })
    }
  }

  const open = (file: File) => {
    setState(NOTHING)
    return work('reading', async () => {
      if (file.size > MAX_BYTES)
        throw new ShopError('input.too_large', 'This file is larger than 1 MB. Export a shorter period.')
      const bytes = new Blob([await file.arrayBuffer()], { type: 'text/csv' })
      const [preview, saved] = await Promise.all([
        callApi(previewLoggerFile, { body: bytes }),
        callApi(listColumnMaps),
      ])
      return { file: { name: file.name, bytes, preview, maps: saved } }
    })
  }

  const lay = (file: OpenFile, query: Partial<Layout>) =>
    work('reading', async () => {
      const preview = await callApi(previewLoggerFile, { query, body: file.bytes })
      return { file: { ...file, preview }, report: null }
    })

  const query = ({ map, serial }: Columns) => ({ box: boxID, map: JSON.stringify(map), serial })

  const tryColumns = (file: OpenFile, columns: Columns) =>
    work('trying', async () => {
      change({ report: null })
      const report = await callApi(importLoggerFile, {
        query: { ...query(columns), dryRun: '1' },
        body: file.bytes,
      })
      return { columns, report }
    })

  /** @param tried the report of the dry run, which saw the whole file */
  const importAll = (file: OpenFile, columns: Columns, tried: FileReport) =>
    work('importing', async () => {
      change({ progress: 0 })
      const { name, map } = columns
      if (name !== '') await callApi(saveColumnMap, { body: { name, map } })
      let sum: FileReport = { ...tried, accepted: 0, duplicates: 0, refused: 0, bad: [] }
      try {
        for (let after: number | null = 0, parts = 1; after !== null; parts++) {
          const part: FileReport = await callApi(importLoggerFile, {
            query: { ...query(columns), after, count: PART },
            body: file.bytes,
          })
          sum = together(sum, part)
          after = part.next
          change({ progress: Math.min(1, (parts * PART) / file.preview.lines) })
        }
      } catch (error) {
        change({ report: without(tried, sum) })
        if (sum.accepted > 0) onImported()
        throw error
      }
      onImported()
      return { report: sum }
    })

  return {
    ...state,
    /** Saved maps that this file can be read with. */
    fitting: state.file ? fittingMaps(state.file.preview, state.file.maps) : [],
    open,
    lay,
    tryColumns,
    importAll,
    /** What was tried is not what is typed any more. */
    forgetReport: () => state.report && change({ report: null }),
    dismiss: () => change({ failure: null }),
    close,
  }
}

/** A part of a file that is stored, added to those before it. */
const together = (before: FileReport, part: FileReport): FileReport => ({
  ...before,
  applied: part.applied,
  accepted: before.accepted + part.accepted,
  duplicates: before.duplicates + part.duplicates,
  refused: before.refused + part.refused,
  bad: [...before.bad, ...part.bad],
})

/** What is left of a dry run after its import was interrupted. */
const without = (tried: FileReport, stored: FileReport): FileReport => ({
  ...tried,
  accepted: tried.accepted - stored.accepted,
  duplicates: tried.duplicates + stored.accepted,
})
