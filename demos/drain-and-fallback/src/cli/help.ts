/** Text of `--help`. */
export const HELP = `Drain, kill, fall back, recover: what a gateway does when providers come and go, proven step by step.

Three near providers are one group, two far ones the next. In one run: a steady turn, one provider drained, a broken
overlay, one provider killed, all three killed, all three back, the drain lifted. No client request may fail.

Usage
  pnpm demo:drain [options]        run it: real processes, real sockets, no Docker, no key, no network
  pnpm demo:drain verify DIR       recompute the verdict of a run from its raw records

Examples
  pnpm demo:drain                          the whole story, about half a minute
  pnpm demo:drain --json --out ./proof     the verdict as JSON, the evidence in ./proof
  pnpm demo:drain verify ./proof           check that evidence again

Options
  --keep            leave everything running after the verdict, until Ctrl-C
  --out DIR         evidence folder (default: a new folder under evidence/)
  --json            print results.json on standard output and nothing else
  -h, --help        this text

Exit codes
  0 all proofs hold   1 the demo could not run   2 bad command line   4 a proof failed (evidence is written all the same)
  128 + the signal's number when interrupted: 130 after Ctrl-C
`;
