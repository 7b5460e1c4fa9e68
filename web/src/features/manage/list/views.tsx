import type { DeskView } from '@befaqt/domain/api/desk-api'
import { changeView, restoreView } from '@befaqt/domain/api/endpoints/manage'
import { COLUMNS, type DeskList, deskLists, plainQuery, shownOf, viewQuery } from '@befaqt/domain/desk-views'
import { useState } from 'react'
import { Link, useLocation, useMatches, useNavigate, useRevalidator, useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Dropdown } from '#web/features/shell/menus.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { type OnDesk, withParams } from '../read.ts'
import type { Filter } from './searched-list.tsx'
import { ViewAdd, ViewSettings } from './view-dialogs.tsx'

/** In the address of a list: the id of the view that is shown, or this for the list as everybody has it. */
const STANDARD = 'all'

type Views = {
  list: DeskList
  /** Of what is shown: the queue has views of orders, and of each part that is a list of its own. */
  views: readonly DeskView[]
  /** Null: the list as everybody has it. */
  current: DeskView | null
  /** The address names a view that is not there. */
  isGone: boolean
  /** What the address asks for of what a view keeps. */
  asked: string
  /** Where the list is as everybody has it; one that opens with a view has to be asked for. */
  standard: string
  /** What that asks for. */
  plain: string
}

/** The list of the desk at this path; undefined: there is none that can be kept as views. */
const listAt = (pathname: string): DeskList | undefined =>
  deskLists.find((name) => pathname === `/manage/${name}`)

/** Does another address of the same path show another list, with columns and views of its own? */
export function isOtherList(pathname: string, from: URLSearchParams, to: URLSearchParams): boolean {
  const list = listAt(pathname)
  return list !== undefined && shownOf(list, from) !== shownOf(list, to)
}

/** The views of the list that is shown; null where it has none, or they could not be read. */
export function useViews(): Views | null {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const data = useMatches().at(-1)?.loaderData as OnDesk | undefined
  const list = listAt(pathname)
  if (list === undefined || !data?.views) return null
  const asked = params.get('view')
  const shown = shownOf(list, params)
  const plain = plainQuery(shown)
  const views = data.views.filter(({ query }) => shownOf(list, new URLSearchParams(query)) === shown)
  const isThere = data.views.some(({ _id }) => _id === asked)
  const opens = plain === '' && data.views.some(({ opens }) => opens)
  return {
    list,
    views,
    current: views.find(({ _id }) => _id === asked) ?? null,
    isGone: asked !== null && asked !== STANDARD && !isThere,
    asked: viewQuery(list, params),
    standard: opens ? `?view=${STANDARD}` : `?${plain}`,
    plain: viewQuery(list, new URLSearchParams(plain)),
  }
}

/** Where the list is without what narrows it. Columns that were chosen stay; those of a view go with it. */
export function useCleared(): string {
  const [params] = useSearchParams()
  const { list, standard = '?' } = useViews() ?? {}
  const isWhole = list === undefined || plainQuery(shownOf(list, params)) === ''
  const columns = params.has('view') || !isWhole ? '' : (params.get(COLUMNS) ?? '')
  return columns === '' ? standard : withParams(new URLSearchParams(standard), { [COLUMNS]: columns })
}

const hrefOf = ({ _id, query }: DeskView): string => `?${query === '' ? '' : `${query}&`}view=${_id}`

/** Whose it is beside its name, where it is not one's own. */
const labelOf = ({ name, owner }: DeskView): string => (owner === null ? name : `${name} (${owner})`)

type Props = { filters: readonly Filter[]; sorts: readonly (readonly [value: string, label: string])[] }

/** The views of a list above it, on a phone in a menu, and what can be done about the one that is shown. */
export function ViewTabs(props: Props) {
  const found = useViews()
  if (found === null) return null
  return <Tabs {...props} {...found} />
}

function Tabs({ filters, sorts, ...found }: Props & Views) {
  const { list, views, current, isGone, asked, standard, plain } = found
  const [dialog, setDialog] = useState<'add' | 'settings' | null>(null)
  const [deleted, setDeleted] = useState<DeskView | null>(null)
  const [message, setMessage] = useState('')
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { busy, failure, run, dismiss } = useRevalidatingCall()
  const isChanged = asked !== (current === null ? plain : viewQuery(list, new URLSearchParams(current.query)))
  const said = (what: string) => {
    setDialog(null)
    setDeleted(null)
    setMessage(what)
  }
  const go = (to: string) => navigate(to, { preventScrollReset: true, replace: true })
  const save = (view: DeskView) =>
    run(async () => {
      const { _id: id, name, version } = view
      await callApi(changeView, { params: { id }, body: { query: asked }, version })
      said(`Saved ${name} as the list is now.`)
    })
  const restore = (view: DeskView) =>
    run(async () => {
      const back = await callApi(restoreView, { params: { id: view._id } })
      said(`${back.name} is back.`)
      await go(hrefOf(back))
    })
  const links = [
    <Tab key={STANDARD} to={standard} label="Standard" isCurrent={current === null && !isGone} />,
    ...views.map((view) => (
      <Tab key={view._id} to={hrefOf(view)} label={labelOf(view)} isCurrent={view === current} />
    )),
  ]
  return (
    <div>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <Gone isGone={isGone} current={current} filters={filters} sorts={sorts} />
      {(views.length > 0 || isChanged || isGone) && (
        <div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1 border-line border-b">
          {views.length > 0 && (
            <>
              <nav aria-label="Views" className="-mb-px flex flex-wrap max-md:hidden">
                {links}
              </nav>
              <Dropdown
                label={`View: ${current ? labelOf(current) : 'Standard'}`}
                className="md:hidden"
                panelClass="top-full left-0 mt-1 flex w-72 max-w-[calc(100vw-2rem)] flex-col rounded-md py-1"
              >
                {links}
              </Dropdown>
            </>
          )}
          {isChanged && current?.editable && (
            <Button variant="link" disabled={!hydrated} aria-busy={busy} onClick={() => void save(current)}>
              Save changes to view
            </Button>
          )}
          {isChanged && (
            <Button variant="link" disabled={!hydrated} onClick={() => setDialog('add')}>
              {current === null ? 'Save as a view' : 'Save as another view'}
            </Button>
          )}
          {current && (
            <Button variant="link" disabled={!hydrated} onClick={() => setDialog('settings')}>
              View settings
            </Button>
          )}
        </div>
      )}
      <div className="mb-3 flex flex-wrap items-center gap-x-4 has-[p:empty]:mb-0">
        <StatusMessage message={message} />
        {deleted && (
          <Button variant="link" aria-busy={busy} onClick={() => void restore(deleted)}>
            Undo
          </Button>
        )}
      </div>
      <Dialog open={dialog === 'add'} title="Save as a view" onClose={() => setDialog(null)}>
        <ViewAdd
          list={list}
          asked={asked}
          onClose={() => setDialog(null)}
          onAdded={async (view) => {
            said(`Saved ${view.name}.`)
            await go(hrefOf(view))
          }}
        />
      </Dialog>
      <Dialog open={dialog === 'settings'} title={current?.name ?? ''} onClose={() => setDialog(null)}>
        {current && (
          <ViewSettings
            view={current}
            mayOpen={plain === ''}
            onClose={() => setDialog(null)}
            onDone={async (what) => {
              said(what)
              await revalidate()
            }}
            onDeleted={async () => {
              said(`Deleted ${current.name}.`)
              setDeleted(current)
              await go(plain === '' ? `?view=${STANDARD}` : standard)
            }}
          />
        )}
      </Dialog>
    </div>
  )
}

const Tab = ({ to, label, isCurrent }: { to: string; label: string; isCurrent: boolean }) => (
  <Link
    to={to}
    preventScrollReset
    aria-current={isCurrent ? 'true' : undefined}
    className="tap max-w-72 truncate border-transparent border-b-2 px-3 font-semibold hover:text-teal aria-[current=true]:border-teal aria-[current=true]:text-teal"
  >
    {label}
  </Link>
)

type GoneProps = Props & Pick<Views, 'isGone' | 'current'>

/** What the view asks for that there is not any more; the list is shown without it. */
function Gone({ isGone, current, filters, sorts }: GoneProps) {
  if (isGone)
    return (
      <Alert tone="warn" className="mb-3">
        <p>This view is not there any more. The list still shows what it asked for.</p>
      </Alert>
    )
  const asked = new URLSearchParams(current?.query)
  const all = [...filters, { name: 'sort', label: 'Sort by', choices: sorts }]
  const gone = all.filter(({ name, choices }) => {
    const value = asked.get(name)
    return value !== null && !choices.some(([known]) => known === value)
  })
  if (gone.length === 0) return null
  return (
    <Alert tone="warn" className="mb-3">
      <p>
        What this view asks for under {gone.map(({ label }) => `“${label}”`).join(' and ')} is not there any
        more. The list is shown without it.
      </p>
    </Alert>
  )
}
