/** Text of `--help`. */
export const HELP = `One consumer gateway, three provider gateways, an exact split: a demo that proves itself.

Usage
  pnpm demo [options]          run it: real processes, real sockets, no Docker, no key, no network
  pnpm demo verify DIR         recompute the verdict of a run from its raw records

Examples
  pnpm demo                                60 requests, round robin: exactly 20/20/20
  pnpm demo --policy random --seed 7       drawn instead of in turn, the same draw each time
  pnpm demo --ui                           watch it live in a browser, then drain, kill and break things
  pnpm demo --requests 300 --keep          more requests, then leave it running to try by hand
  pnpm demo --json --out ./proof           the verdict as JSON, the evidence in ./proof
  pnpm demo verify ./proof                 check that evidence again

Options
  --requests N      requests in the measured window, 1 to 10000 (default 60)
  --policy P        round_robin (default), random or deterministic
  --seed N          seed of the random policy, 0 to 4294967295 (default: drawn anew)
  --ui              serve a live page on loopback, from the first request until Ctrl-C
  --ui-port N       port of the page (default: a free one)
  --trace-url T     link traces to another tool, such as 'http://localhost:16686/trace/{traceId}'
  --forward-otlp U  send the same spans to an OTLP/HTTP back end too
  --keep            leave everything running after the verdict, until Ctrl-C
  --out DIR         evidence folder (default: a new folder under evidence/)
  --json            print results.json on standard output and nothing else
  -h, --help        this text

Exit codes
  0 all proofs hold   1 the demo could not run   2 bad command line   4 a proof failed (evidence is written all the same)
  128 + the signal's number when interrupted: 130 after Ctrl-C
`;
