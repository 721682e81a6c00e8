// Serves the console's files with made-up answers: `node fixture-server.mjs [port]`, then http://127.0.0.1:8090/app/asynq/
// For working on the front end without Redis. Query of the page: ?as=viewer for a user who may only look.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer, subscribe } from './fixtures.mjs';

const files = fileURLToPath(new URL('../../main/resources/io/asynq/console/static/', import.meta.url));
const base = '/app/asynq/';
const types = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html' };
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'self'; "
	+ "frame-ancestors 'self'; form-action 'none'";

/** What the next answers are: ok, redis-away, session-ended */
let mood = 'ok';

createServer(async (request, response) => {
	const url = new URL(request.url, 'http://x');
	if (url.pathname === '/mood') {
		mood = url.searchParams.get('is') || 'ok';
		response.end(mood);
		return;
	}
	if (!url.pathname.startsWith(base)) {
		response.writeHead(302, { Location: base }).end();
		return;
	}
	const path = decodeURIComponent(url.pathname.slice(base.length));
	if (path.startsWith('assets/test/')) {
		const file = join(files, normalize(path.slice('assets/test/'.length)));
		try {
			const content = await readFile(file);
			response.writeHead(200, { 'Content-Type': types[extname(file)] || 'text/plain', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
			response.end(content);
		}
		catch {
			response.writeHead(404).end();
		}
		return;
	}
	if (path.startsWith('api/v1/')) {
		if (mood === 'session-ended') {
			response.writeHead(302, { Location: '/login' }).end();
			return;
		}
		if (mood === 'redis-away') {
			json(response, 503, { title: 'Redis is away', status: 503, code: 'redis', detail: 'Connection refused: localhost:6379' });
			return;
		}
		const name = path.slice('api/v1/'.length);
		if (name === 'stream') {
			response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
			const stop = subscribe(url.searchParams, (event, data) => mood === 'ok' ? response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`) : response.end());
			request.on('close', stop);
			return;
		}
		let body = '';
		for await (const chunk of request) {
			body += chunk;
		}
		const [status, content] = answer(request.method, name, url.searchParams, body ? JSON.parse(body) : {});
		json(response, status, content);
		return;
	}
	const viewer = url.searchParams.get('as') === 'viewer';
	const config = { base: base.slice(0, -1), access: viewer ? 'read-only' : 'unrestricted', principal: 'ada', authorities: { look: true, act: !viewer, admin: !viewer },
		csrf: { header: 'X-XSRF-TOKEN', token: 't' }, showPayloads: true, requireReason: url.searchParams.has('reason'), refreshMillis: 2000, scanLimit: 10000,
		assets: 'assets/test/', version: '0.1.0', title: 'asynq' };
	const page = (await readFile(join(files, 'index.html'), 'utf8')).replaceAll('{{base}}', base.slice(0, -1)).replaceAll('{{assets}}', 'assets/test/')
		.replaceAll('{{title}}', 'asynq').replace('{{config}}', () => JSON.stringify(config).replaceAll('<', '\\u003c'));
	response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': csp, 'Cache-Control': 'no-store' });
	response.end(page);
}).listen(Number(process.argv[2] || 8090), '127.0.0.1');

function json(response, status, content) {
	response.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' });
	response.end(content === null ? '' : JSON.stringify(content));
}
