import type { BoxPageView, Paged } from '@befaqt/domain/api/box-api'
import type { BoxBalance } from '@befaqt/domain/api/box-trade-api'
import type { BoxComplaint } from '@befaqt/domain/api/complaint-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readLabel } from '@befaqt/domain/api/endpoints/box-page'
import { noteAlertSeen } from '@befaqt/domain/api/endpoints/managed-boxes'
import type { ManagedBox, ManagedBoxDetail } from '@befaqt/domain/api/manage-api'
import type { BoxOrder } from '@befaqt/domain/api/order-api'
import { boxPath } from '@befaqt/domain/page-paths'
import { mayAtDesk } from '@befaqt/domain/rights'
import { type ReactNode, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, ButtonLink, buttonClass } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useViewer } from '#web/root-data.ts'
import { Moment } from '#web/time/time.tsx'
import { BoxComplaints } from '../complaint/box-complaints.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { BesideLine, ListBeside, WithListBeside } from '../list/list-beside.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import { managedBoxPath } from '../paths.ts'
import type { Read } from '../read.ts'
import { BoxCondition } from './box-condition.tsx'
import { BoxHistory, useRecords } from './box-history.tsx'
import { BoxProducts } from './box-products.tsx'
import { BoxSales } from './box-sales.tsx'
import { Alerts, StageMark } from './box-state.tsx'
import { CatchForm } from './catch-form.tsx'
import { LoggerFileImport } from './logger-file/logger-file-import.tsx'
import { RecallSection } from './recall/recall-section.tsx'
import { SaleSection, SealSection } from './recall/sale-and-seal.tsx'
import { StatedWeights } from './stated-weights.tsx'
import { WeightForm } from './weight-form.tsx'

/** `list`: the page of the list that the address asks for. */
export type BoxFound = {
  list: Paged<ManagedBox>
  /** Its records are read beside it, with all that they say. */
  page: Omit<BoxPageView, 'records'>
  box: ManagedBoxDetail
  /** What became of it; null: whoever looks may see no orders. */
  sold: { balances: BoxBalance[]; orders: BoxOrder[]; complaints: BoxComplaint[] } | null
}

/** Everything a manager does to one box. */
export function BoxDetail({ boxID, found }: { boxID: string; found: Read<BoxFound> }) {
  const list = found.data && <BoxesBeside boxes={found.data.list} shown={boxID} />
  return (
    <ManageLayout title={`Box ${boxID}`} headTitle={`Manage box ${boxID}`} help={false}>
      <WithListBeside back="All boxes" to="/manage/box" list={list}>
        <ReadResult key={boxID} found={found}>
          {(box) => <Detail {...box} />}
        </ReadResult>
      </WithListBeside>
    </ManageLayout>
  )
}

/** The boxes as they were narrowed. */
const BoxesBeside = ({ boxes, shown }: { boxes: Paged<ManagedBox>; shown: string }) => (
  <ListBeside
    label="Boxes beside this one"
    thing="box"
    things="boxes"
    list={boxes}
    idOf={({ boxID }) => boxID}
    shown={shown}
    pathOf={managedBoxPath}
  >
    {({ boxID, stage, species, caughtAt, alerts, excursions, recalled, offSale }) => (
      <>
        <BesideLine>
          <span className="font-semibold wrap-anywhere">{boxID}</span>
          <StageMark stage={stage} />
        </BesideLine>
        <BesideLine>
          <span className="wrap-anywhere">{species || 'no catch yet'}</span>
          {(excursions.length > 0 || alerts.some(({ seen }) => !seen)) && (
            <span className="text-warn">
              <span aria-hidden="true">▲ </span>alert
            </span>
          )}
        </BesideLine>
        <BesideLine>
          <span className="text-slate">{caughtAt && <Moment at={caughtAt} />}</span>
          {recalled ? <Badge tone="bad">recalled</Badge> : offSale && <Badge tone="warn">off sale</Badge>}
        </BesideLine>
      </>
    )}
  </ListBeside>
)

function Detail({ page, box, sold }: Omit<BoxFound, 'list'>) {
  const { boxID } = box
  const [viewer] = useState(useViewer()) // a session that ends takes away nothing that is typed
  const { revalidate } = useRevalidator()
  const { value: records, failure } = useRecords(boxID, box.records)
  const { message, done } = useAction()
  const [history, setHistory] = useState(false)
  const hydrated = useHydrated()
  return (
    <div className="grid gap-10">
      <div className="grid gap-4">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-lg">
          <StageMark stage={box.stage} />
          {box.recalled && <Badge tone="bad">recalled</Badge>}
          {box.offSale && <Badge tone="warn">off sale</Badge>}
          <span>{box.species || 'No catch yet'}</span>
          <span className="text-slate">{box.trader}</span>
          <span className="text-slate">
            {box.records} {box.records === 1 ? 'record' : 'records'},{' '}
            {box.pending === 0 ? 'all anchored' : `${box.pending} not anchored yet`}
          </span>
        </p>
        <BoxAlerts box={box} />
        {sold && <BoxComplaints complaints={sold.complaints} />}
        <div className="flex flex-wrap gap-3">
          <ButtonLink variant="outline" to={boxPath(boxID)}>
            Public page
          </ButtonLink>
          <a
            href={urlOf(readLabel, { params: { boxID } })}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('outline')}
          >
            Print label
          </a>
          {!page.sealed && (
            <ButtonLink variant="outline" to={`/station?${new URLSearchParams({ box: boxID })}`}>
              Add e-eye or e-nose result
            </ButtonLink>
          )}
          {!page.sealed && <SealSection boxID={boxID} onSealed={() => done('Sealed.')} />}
          <Button variant="link" disabled={!hydrated} onClick={() => setHistory(true)}>
            Activity
          </Button>
        </div>
        <StatusMessage message={message} className="empty:hidden" />
      </div>
      {page.box.catchProv === null && !page.sealed && (
        <Part title="Add the catch">
          <CatchForm
            boxID={boxID}
            boat={page.box.fisher.boat}
            onAdded={() => done('The catch is recorded.')}
          />
        </Part>
      )}
      <Part title="Condition">
        <BoxCondition page={page} />
      </Part>
      {mayAtDesk(viewer, 'shop:write') && (
        <Part title="Products from this box">
          <BoxProducts box={box} onSaved={() => done('Links saved.')} />
        </Part>
      )}
      {page.box.catchProv !== null && (
        <Part title="Weight">
          {records && <StatedWeights records={records} makers={box.makers} />}
          {!page.sealed && (
            <WeightForm key={boxID} boxID={boxID} onWeighed={() => done('The weight is recorded.')} />
          )}
        </Part>
      )}
      {sold && (
        <Part title="Sold from this box">
          <BoxSales
            boxID={boxID}
            products={box.products}
            balances={sold.balances}
            orders={sold.orders}
            isSealed={page.sealed}
            onLost={() => done('The loss is recorded.')}
          />
        </Part>
      )}
      {mayAtDesk(viewer, 'order:write') && (
        <>
          <Part title="Sale">
            <SaleSection key={boxID} boxID={boxID} isOff={box.offSale} onChanged={done} />
          </Part>
          <Part title="Recall">
            <RecallSection key={boxID} boxID={boxID} onChanged={done} />
          </Part>
        </>
      )}
      {!page.sealed && (
        <Part title="Readings from a logger’s file">
          <LoggerFileImport key={boxID} boxID={boxID} onImported={() => void revalidate()} />
        </Part>
      )}
      <Part title="Records">
        {failure !== null && <FailureBanner error={failure} />}
        {records ? (
          <BoxHistory
            boxID={boxID}
            records={records}
            anchored={box.records - box.pending}
            sealed={page.sealed}
            makers={box.makers}
            onCorrected={() => done('The correction is recorded.')}
          />
        ) : (
          failure === null && <Spinner label="Loading the records" />
        )}
      </Part>
      <HistoryDialog
        entity="box"
        of={history ? { id: boxID, name: boxID } : null}
        onClose={() => setHistory(false)}
      />
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="border-line border-t pt-6">
    <h2 className="mb-4 text-2xl">{title}</h2>
    {children}
  </section>
)

/** Excursions of a box, and its alerts with their time, to be noted as seen. */
function BoxAlerts({ box: { boxID, alerts, excursions } }: { box: ManagedBox }) {
  const { failure, message, run, dismiss, ready } = useAction()
  if (alerts.length === 0 && excursions.length === 0) return null
  const note = (kind: string, at: string, seen: boolean) =>
    run(async () => {
      await callApi(noteAlertSeen, { params: { boxID }, body: { kind, at, seen } })
      return seen ? 'Noted as seen.' : 'To be seen again.'
    })
  return (
    <section aria-labelledby="alerts" className="grid gap-2">
      <h2 id="alerts" className="text-xl">
        Excursions and alerts
      </h2>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <StatusMessage message={message} className="empty:hidden" />
      <Alerts alerts={[]} excursions={excursions} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {alerts.map(({ kind, at, words, seen }) => (
          <li
            key={`${kind} ${at}`}
            className="flex min-h-12 flex-wrap items-center justify-between gap-2 py-1"
          >
            <span className={seen ? 'text-slate' : 'text-warn'}>
              {words}
              {at && (
                <span className="block muted">
                  <Moment at={at} />
                  {seen && (
                    <>
                      ; seen by {seen.who}, <Moment at={seen.at} />
                    </>
                  )}
                </span>
              )}
            </span>
            {at && (
              <Button variant="outline" disabled={!ready} onClick={() => void note(kind, at, seen === null)}>
                {seen ? 'Not seen' : 'Seen'}
                <span className="sr-only">: {words}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="muted">Alerts prompt a check. They are not a food-safety ruling.</p>
    </section>
  )
}
