import { render } from 'preact';
import type { ExportedPage } from '../src/page/state.ts';
import { exportedSource } from './model/exported-source.ts';
import { liveSource } from './model/live-source.ts';
import { Page } from './view/page.tsx';

// An exported page carries its data in this element; a served page hasn't got it and asks its server.
const embedded = document.getElementById('page-data')?.textContent;
const root = document.getElementById('page');
if (root !== null) {
  const source =
    embedded === undefined || embedded === null
      ? liveSource()
      : exportedSource(JSON.parse(embedded) as ExportedPage);
  render(<Page source={source} />, root);
}
