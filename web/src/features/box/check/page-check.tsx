import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ShownPage } from './proven-page.ts'
import { type Check, useCheck } from './use-check.ts'
import type { CheckedFile } from './use-files.ts'

type PageCheckState = Check & { page: ShownPage; boxID: string }

const PageCheck = createContext<PageCheckState | null>(null)

type Props = {
  page: ShownPage
  contract: string | null
  /** The box of the address. */
  boxID: string
  children: ReactNode
}

/** Checks what the page shows. Around the page: only what reads the check is drawn again with each step of it. */
export function PageCheckProvider({ page, contract, boxID, children }: Props) {
  const check = useCheck(page, contract, boxID)
  return (
    <PageCheck value={useMemo(() => ({ ...check, page, boxID }), [check, page, boxID])}>{children}</PageCheck>
  )
}

/** What the check of this page found of a file that a record names; undefined before, and on pages without a check. */
export const useCheckedFile = (href: string): CheckedFile | undefined =>
  useContext(PageCheck)?.files.get(href)

/** The check of the page that this stands on. */
export function usePageCheck(): PageCheckState {
  const check = useContext(PageCheck)
  if (check === null) throw new Error('This part stands on no page that is checked.')
  return check
}
