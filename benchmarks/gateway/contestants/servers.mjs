// The two servers that every ratio is against: no Node, as lean as their manuals make them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, listening, PROXY_CORE, start } from '../lab/processes.mjs';

const lacks = (program) =>
  spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined
    ? undefined
    : `there is no ${program} (Debian: apt-get install ${program === 'nginx' ? 'nginx-light' : program})`;

/** One worker, upstream connections kept, no log; a streamed reply is passed on as it comes. */
export const nginx = {
  name: 'nginx',
  exact: true,
  missing: () => lacks('nginx'),
  async start({ directory, targets, streamed }) {
    const port = await freePort();
    const prefix = join(directory, `nginx-${port}`);
    mkdirSync(prefix);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const file = join(prefix, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; worker_processes 1; worker_rlimit_nofile 16384; pid ${prefix}/pid; error_log ${prefix}/error.log;
events { worker_connections 8192; }
http {
  access_log off; default_type application/json; server_tokens off;
  client_max_body_size 64m; client_body_buffer_size 2m; keepalive_requests 100000000;
  ${temporary.map((what) => `${what}_temp_path ${prefix}/${what};`).join(' ')}
  upstream providers {
    ${targets.map((target) => `server 127.0.0.1:${target};`).join(' ')}
    keepalive 64; keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://providers; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering ${streamed ? 'off' : 'on'}; proxy_read_timeout 600s;
    }
  }
}
`,
    );
    const errors = join(prefix, 'stderr.log');
    const child = start('nginx', ['-p', prefix, '-c', file], { core: PROXY_CORE, stderr: errors });
    await listening(child, port, errors);
    return { port, pid: child.pid, stop: () => child.stop() };
  },
};

/** One thread, upstream connections shared, no log. */
export const haproxy = {
  name: 'HAProxy',
  exact: true,
  missing: () => lacks('haproxy'),
  async start({ directory, targets }) {
    const port = await freePort();
    const file = join(directory, `haproxy-${port}.cfg`);
    writeFileSync(
      file,
      `global
  nbthread 1
  maxconn 8192
defaults
  mode http
  timeout connect 5s
  timeout client 600s
  timeout server 600s
  http-reuse always
  option http-no-delay
frontend clients
  bind 127.0.0.1:${port} backlog 4096
  default_backend providers
backend providers
  balance roundrobin
  ${targets.map((target, i) => `server s${i} 127.0.0.1:${target}`).join('\n  ')}
`,
    );
    const errors = join(directory, `haproxy-${port}.log`);
    const child = start('haproxy', ['-db', '-f', file], { core: PROXY_CORE, stderr: errors });
    await listening(child, port, errors);
    return { port, pid: child.pid, stop: () => child.stop() };
  },
};
