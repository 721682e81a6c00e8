package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service other than Redis: it counts connections and closes them.
 */
final class SlammingServer implements AutoCloseable {

	private final ServerSocket socket;

	private final AtomicInteger attempts = new AtomicInteger();

	private SlammingServer(ServerSocket socket) {
		this.socket = socket;
	}

	static SlammingServer start() throws IOException {
		SlammingServer server = new SlammingServer(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()));
		Thread thread = new Thread(server::accept);
		thread.setDaemon(true);
		thread.start();
		return server;
	}

	int port() {
		return this.socket.getLocalPort();
	}

	int attempts() {
		return this.attempts.get();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	private void accept() {
		try {
			while (true) {
				Socket visitor = this.socket.accept();
				this.attempts.incrementAndGet();
				visitor.close();
			}
		}
		catch (IOException ex) {
			// Closed
		}
	}

}
