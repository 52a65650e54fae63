import { describe, expect, it } from 'vitest';
import { explainRoute } from '../../src/select/explain.ts';
import { selectRoute } from '../../src/select/select.ts';
import { viewRoutes } from '../../src/select/view-routes.ts';
import type { Service } from '../../src/service.ts';
import { at, MODEL, overlayOf, siteOf } from '../support/overlays.ts';
import { newService } from '../support/service.ts';

const serve = (service: Service, sites: string): void => {
  service.serve(overlayOf({ candidates: [...sites].map((site) => at(site)) }));
};

const LOOKS: Readonly<Record<string, (service: Service) => unknown>> = {
  nothing: () => undefined,
  explain: ({ context }) => explainRoute(MODEL, context),
  routes: ({ context }) => [...viewRoutes(context, context.current(), {})],
};

describe('turns', () => {
  it.each(Object.keys(LOOKS))('are where they were, however often %s was asked meanwhile', (what) => {
    const service = newService();
    serve(service, 'abc');
    expect(siteOf(selectRoute(MODEL, service.context))).toBe('a');
    // Two overlays in which nobody asks for the model, but somebody may look at it.
    for (const sites of ['xy', 'vw']) {
      serve(service, sites);
      LOOKS[what]?.(service);
    }
    serve(service, 'abc');
    expect(siteOf(selectRoute(MODEL, service.context))).toBe('b');
  });

  it('explain foresees the one that is next, also in an overlay in which nobody asked yet', () => {
    const service = newService();
    serve(service, 'abc');
    selectRoute(MODEL, service.context);
    serve(service, 'abcd');
    expect(explainRoute(MODEL, service.context).decision?.candidate.site).toBe('b');
    expect(siteOf(selectRoute(MODEL, service.context))).toBe('b');
  });
});
