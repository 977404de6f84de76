import type { ComponentChildren } from 'preact';
import { cleanForeign } from '../core/text/foreign.js';
import { Layout, Scripts, type ScriptName } from '../pages/index.js';
import { FormToken } from './components/form_token.js';
import type { Framing } from './page.js';
import { PREFIX } from './routes.js';

/** The sections of the dashboard, in the order of the navigation. */
const SECTIONS = [
  { name: 'Overview', path: PREFIX },
  { name: 'Listings', path: `${PREFIX}/listings` },
  { name: 'Orders', path: `${PREFIX}/orders` },
  { name: 'Shops', path: `${PREFIX}/shops` },
  { name: 'Changes', path: `${PREFIX}/changes` },
  { name: 'Uploads', path: `${PREFIX}/uploads` },
  { name: 'Webhooks', path: `${PREFIX}/webhooks` },
  { name: 'Access', path: `${PREFIX}/access` },
] as const;
export type Section = (typeof SECTIONS)[number]['name'];

type DashboardProps = {
  visit: Framing;
  /** The title, which may hold text of the marketplace. */
  title: string;
  /** The section that the page belongs to. */
  section?: Section;
  children: ComponentChildren;
  /** Names of the scripts that make the page better; it works without. */
  scripts?: readonly ScriptName[];
  head?: ComponentChildren;
  width?: 'wide' | 'narrow';
};

export function Dashboard({ visit, title, section, children, scripts = [], head, width }: DashboardProps) {
  return (
    <Layout
      title={cleanForeign(title)}
      width={width ?? 'wide'}
      home_href={PREFIX}
      part="dashboard"
      is_sandbox={visit.is_sandbox}
      header={<Navigation visit={visit} section={section} />}
      head={
        <>
          {head}
          <Scripts names={['times', ...scripts]} />
        </>
      }
    >
      {children}
    </Layout>
  );
}

function Navigation({ visit, section }: Pick<DashboardProps, 'visit' | 'section'>) {
  return (
    <>
      <nav class="nav" aria-label="Dashboard">
        {SECTIONS.map(({ name, path }) => (
          <a href={path} aria-current={name === section ? 'page' : undefined} key={name}>
            {name}
          </a>
        ))}
      </nav>
      <form method="post" action={`${PREFIX}/sign-out`}>
        <FormToken visit={visit} />
        <button type="submit" class="plain">
          Sign out
        </button>
      </form>
    </>
  );
}
