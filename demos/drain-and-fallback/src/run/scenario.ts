import type { Stage } from './stage.ts';

/** Sessions that are bound before anything goes wrong: two for each provider of the first group. */
const SESSIONS = ['s1', 's2', 's3', 's4', 's5', 's6'] as const;
/** Sessions that begin while a provider is draining. */
const LATER_SESSIONS = ['s7', 's8'] as const;
/** Requests in a row that must be answered at the first attempt, by the first group, before it counts as back. */
const SETTLED_AFTER = 4;
/** How many requests a recovery may take at most. */
const RETURN_MAX = 120;
/** Pause between two requests that look whether a provider is back, in milliseconds. */
const RETURN_PAUSE_MS = 250;

/**
 * The story of a run, told by {@link Stage}. From the broken overlay to the recovery the controller is stopped: what
 * happens there, the gateway does by itself.
 */
export async function play(stage: Stage): Promise<void> {
  const { topology } = stage;
  await stage.agreement('three members', ({ groups }) => groups[0]?.length === 3 && groups[1]?.length === 2);

  stage.begin('steady', 'three near providers take turns');
  await stage.ask(30);
  await stage.end();

  stage.begin('bind', 'six sessions are bound, two to each');
  await stage.askEach(SESSIONS, 2);
  await stage.end();

  stage.begin('drain', 'provider-b drains: bound sessions stay, nothing new comes');
  await topology.drain('b', true);
  await stage.agreement('provider-b draining', ({ groups }) => groups[0]?.length === 2);
  await stage.ask(20);
  await stage.askEach(SESSIONS, 1);
  await stage.askEach(LATER_SESSIONS, 2);
  await stage.end();

  await stage.stopController();
  stage.begin('broken-overlay', 'a broken overlay is published: nothing changes');
  const putBack = await stage.breakOverlay();
  await stage.ask(12);
  await stage.askEach(SESSIONS, 1);
  await stage.end();
  await putBack();

  stage.begin('kill-b', 'provider-b is killed: its sessions move once, and stay');
  topology.kill('b');
  await stage.askEach(SESSIONS, 3);
  await stage.end();

  stage.begin('outage', 'the whole group is killed: the far group serves');
  topology.kill('a');
  topology.kill('c');
  await stage.ask(24);
  await stage.askEach(SESSIONS, 2);
  await stage.end();

  stage.begin('return', 'the near providers are back: the gateway finds out by itself');
  for (const site of ['a', 'b', 'c'] as const) await topology.restart(site);
  await stage.askUntil({ settledAfter: SETTLED_AFTER, max: RETURN_MAX, pauseMs: RETURN_PAUSE_MS });
  await stage.end();

  stage.begin('recovered', 'turns go on where they were; moved sessions stay');
  await stage.ask(20);
  await stage.askEach(SESSIONS, 1);
  await stage.end();

  await stage.continueController();
  stage.begin('undrained', 'the drain is lifted: three near providers take turns again');
  await topology.drain('b', false);
  await stage.agreement('three members again', ({ groups }) => groups[0]?.length === 3);
  await stage.ask(30);
  await stage.end();
}
