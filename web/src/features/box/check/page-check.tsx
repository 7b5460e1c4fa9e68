import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { ShownPage } from './proven-page.ts'
import { type Check, useCheck } from './use-check.ts'

type PageCheckState = Check & { page: ShownPage }

const PageCheck = createContext<PageCheckState | null>(null)

/** How often a page that is behind its records asks for itself again. */
const RELOADS = 2

type Props = { page: ShownPage; contract: string | null; children: ReactNode }

/** Checks what the page shows. Around the page: only what reads the check is drawn again with each step of it. */
export function PageCheckProvider({ page, contract, children }: Props) {
  const check = useCheck(page, contract)
  const { revalidate } = useRevalidator()
  const reloads = useRef(0)
  const { shop } = check
  useEffect(() => {
    if (shop.phase !== 'done' || shop.page?.kind !== 'older' || reloads.current >= RELOADS) return
    reloads.current += 1
    void revalidate()
  }, [shop, revalidate])
  return <PageCheck value={useMemo(() => ({ ...check, page }), [check, page])}>{children}</PageCheck>
}

/** The check of the page that this stands on. */
export function usePageCheck(): PageCheckState {
  const check = useContext(PageCheck)
  if (check === null) throw new Error('This part stands on no page that is checked.')
  return check
}
