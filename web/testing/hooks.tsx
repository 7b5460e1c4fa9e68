/**
 * Pages for the tests in `e2e/hooks`: each shows one hook with as little around it as it needs, and one shows all
 * components (`npm run dev` has it, too, at `/components`).
 */
import '#web/zod-without-eval.ts'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, Link, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { DirtyGuard } from '#web/forms/dirty-guard.tsx'
import { ComponentsPage } from './components-page.tsx'
import { showEarlyTap } from './early-tap-page.tsx'
import { DraftFormPage, DraftPage, FormPage, TwoFormsPage } from './form-pages.tsx'
import {
  ListPage,
  loadEmails,
  loadRows,
  MailPage,
  NearPage,
  PagesPage,
  ReadPage,
  TypedPage,
} from './list-pages.tsx'

const Layout = () => (
  <DirtyGuard>
    <main>
      <Outlet />
    </main>
    <nav>
      <Link to="/elsewhere">Elsewhere</Link>
    </nav>
  </DirtyGuard>
)

const router = createBrowserRouter([
  {
    Component: Layout,
    HydrateFallback: () => null,
    children: [
      { path: '/form', Component: FormPage },
      { path: '/kept-form', Component: DraftFormPage },
      { path: '/draft', Component: DraftPage },
      { path: '/two-forms', Component: TwoFormsPage },
      { path: '/typed', Component: TypedPage },
      { path: '/pages', Component: PagesPage },
      { path: '/read', Component: ReadPage },
      { path: '/list', loader: loadRows, Component: ListPage },
      { path: '/near', Component: NearPage },
      { path: '/mail', loader: loadEmails, Component: MailPage },
      { path: '/components', Component: ComponentsPage },
      { path: '/elsewhere', element: <h1>Elsewhere</h1> },
    ],
  },
])

const root = document.getElementById('root')
if (root && location.pathname === '/early-tap') showEarlyTap(root)
else if (root) createRoot(root).render(<RouterProvider router={router} />)
