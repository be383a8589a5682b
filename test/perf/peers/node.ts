/**
 * The barest pass-through that Node's own modules make: the peer called "node" of the benchmark. It routes nothing, refuses nothing and
 * counts nothing. Usage: node node.ts LISTEN_PORT BACKEND_PORT.
 */
import { Agent, createServer, request } from 'node:http';

const [listen, backend] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1024 });

const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (req, res) => {
  const { method, url: path, headers } = req;
  const upstream = request({ host: '127.0.0.1', port: backend, agent, method, path, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  upstream.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
  req.pipe(upstream);
});
server.listen(listen, '127.0.0.1');
