package io.asynq.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.asynq.test.process.Child;
import io.asynq.test.redis.Ports;

import static org.awaitility.Awaitility.await;

/**
 * Debian's nginx on a free port of loopback, which serves an application below a path of
 * its own. It has one process, so that none is left behind if that is killed.
 */
final class Nginx implements AutoCloseable {

	static final String PATH = "/ops";

	private static final Path PROGRAM = Path.of("/usr/sbin/nginx");

	private static final Duration END = Duration.ofSeconds(10);

	private static final String CONFIGURATION = """
			daemon off;
			master_process off;
			pid %1$s/nginx.pid;
			error_log stderr warn;
			events {
				worker_connections 256;
			}
			http {
				access_log off;
				client_body_temp_path %1$s/body;
				proxy_temp_path %1$s/proxy;
				fastcgi_temp_path %1$s/fastcgi;
				uwsgi_temp_path %1$s/uwsgi;
				scgi_temp_path %1$s/scgi;
				%2$s
			}
			""";

	/** All that a proxy has to say, below a path. */
	static final String SET_UP = """
			listen 127.0.0.1:%1$d;
			location %3$s/ {
				proxy_pass http://127.0.0.1:%2$d/;
				proxy_http_version 1.1;
				proxy_set_header Host $http_host;
				proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
				proxy_set_header X-Forwarded-Proto $scheme;
				proxy_set_header X-Forwarded-Host $http_host;
				proxy_set_header X-Forwarded-Prefix %3$s;
			}
			""";

	private final int port;

	private final Child process;

	private Nginx(int port, Child process) {
		this.port = port;
		this.process = process;
		// Nothing signals that it listens
		await().until(this::listens);
	}

	/**
	 * Starts it.
	 * @param folder for its files
	 * @param target the port of the application
	 * @throws IllegalStateException if there is none
	 */
	static Nginx start(Path folder, int target) {
		return start(folder, target, SET_UP);
	}

	/**
	 * Starts it.
	 * @param server what is said of its server: a format of its port, that of the
	 * application, the path, and the folder
	 */
	static Nginx start(Path folder, int target, String server) {
		if (!Files.isExecutable(PROGRAM)) {
			throw new IllegalStateException(
					"This test needs " + PROGRAM + ": install Debian's package nginx, as .ci/install does");
		}
		int port = Ports.free();
		try {
			Files.createDirectories(folder);
			Path file = Files.writeString(folder.resolve("nginx.conf"), CONFIGURATION.formatted(folder.toAbsolutePath(),
					"server {\n" + server.formatted(port, target, PATH, folder.toAbsolutePath()) + "}"));
			return new Nginx(port,
					Child.start("nginx", List.of(PROGRAM.toString(), "-p", folder.toString(), "-c", file.toString()),
							folder.resolve("nginx.log")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No configuration can be written for nginx", ex);
		}
	}

	int port() {
		return this.port;
	}

	String url() {
		return "http://127.0.0.1:" + this.port + PATH;
	}

	private boolean listens() {
		try (Socket socket = new Socket(Ports.HOST, this.port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		try (this.process) {
			this.process.terminate(END);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
