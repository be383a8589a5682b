/** Configurations of nginx: as the backend of every contender, as a contender itself, and as the backends of the reload. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Started, Workshop } from '../workshop.ts';

/** Bodies by path. */
export const bodies: Readonly<Record<string, string>> = { '/1k': 'a'.repeat(1024), '/64k': 'b'.repeat(64 * 1024) };
export const postAnswer = 'ok\n';

/**
 * Static files, and `/post`, which reads the whole body before it answers: nginx would answer before, and close the connection of a proxy
 * that is still sending, so the mirror (which needs the body) makes it read, and the file's refusal of POST becomes the answer.
 */
export function backendServer(folder: string, port: number): string {
  for (const [path, body] of Object.entries({ ...bodies, '/post': '' })) writeFileSync(join(folder, path), body);
  return `server {
  listen 127.0.0.1:${port} backlog=4096;
  root ${folder};
  open_file_cache max=10;
  location = /post { mirror /read; error_page 405 =200 @ok; }
  location = /read { internal; return 204; }
  location @ok { return 200 "ok\\n"; }
}`;
}

/** A reverse proxy that reuses its connections, and adds the fields that ours and Go's add. */
export function proxyServer(port: number, backend: number): string {
  return `upstream backend { server 127.0.0.1:${backend}; keepalive 1024; keepalive_requests 1000000000; }
server {
  listen 127.0.0.1:${port} backlog=4096;
  location / {
    proxy_pass http://backend;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Host $http_host;
    proxy_buffers 32 8k;
  }
}`;
}

export interface Nginx {
  readonly workshop: Workshop;
  readonly program: string;
  /** Of its folder. */
  readonly name: string;
  /** Blocks of its configuration. */
  readonly servers: string;
  readonly core?: number;
}

/** Starts an nginx of one worker process with these servers. */
export function startNginx({ workshop, program, name, servers, core }: Nginx): Started {
  const folder = join(workshop.folder, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nginx.conf');
  // The temporary folder is readable by its owner only, and root's workers would be somebody else.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`)
    .join('\n');
  writeFileSync(
    file,
    `${user}
worker_processes 1;
daemon off;
pid ${join(folder, 'pid')};
error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  client_body_buffer_size 64k;
  keepalive_timeout 1h;
  keepalive_requests 1000000000;
${temporary}
${servers}
}
`,
  );
  return workshop.start(program, ['-p', folder, '-c', file, '-e', 'stderr'], core === undefined ? {} : { core });
}
