import { urlOf } from '@befaqt/domain/api/endpoint'
import {
  exportOriginProof,
  readCalendar,
  readInvoice,
  readOriginProof,
} from '@befaqt/domain/api/endpoints/order-page'
import { type ActionProps, callInput } from './order-input.ts'

/** What restaurants and bookkeepers keep of an order. The invoice is one once the shop has given it a number. */
export default function OrderDocuments(props: ActionProps) {
  const documents = [
    [
      readCalendar,
      props.order.status === 'CANCELLED' ? 'Take it out of the calendar' : 'Put it into a calendar',
    ],
    [readInvoice, props.order.invoiceNumber === null ? 'Statement of the order (PDF)' : 'Invoice (PDF)'],
    [readOriginProof, 'Proof of origin (PDF)'],
    [exportOriginProof, 'Proof of origin (CSV)'],
  ] as const
  return (
    <ul aria-label="Documents" className="basis-full">
      {documents.map(([endpoint, title]) => (
        <li key={title}>
          <a href={urlOf(endpoint, callInput(props))} className="link inline-flex min-h-11 items-center">
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}
