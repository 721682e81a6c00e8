package io.asynq.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stands between a client and a server on loopback. It can leave connections stranded:
 * they stay open but nothing passes any more, as when a machine between has lost its
 * state.
 */
public final class TcpRelay implements AutoCloseable {

	private final ServerSocket listening;

	private final int target;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final List<AtomicBoolean> stranded = new CopyOnWriteArrayList<>();

	/**
	 * Begins to listen.
	 * @param target the server's port
	 */
	public TcpRelay(int target) {
		this.target = target;
		try {
			this.listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	public int port() {
		return this.listening.getLocalPort();
	}

	/**
	 * Lets nothing pass over the present connections any more. New ones work.
	 */
	public void strand() {
		this.stranded.forEach((connection) -> connection.set(true));
	}

	@Override
	public void close() {
		try {
			this.listening.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listening.accept();
			Socket server = new Socket(InetAddress.getByName("127.0.0.1"), this.target);
			this.sockets.addAll(List.of(client, server));
			AtomicBoolean connection = new AtomicBoolean();
			this.stranded.add(connection);
			start(() -> pump(client, server, connection));
			start(() -> pump(server, client, connection));
		}
	}

	private static void pump(Socket from, Socket to, AtomicBoolean stranded) throws IOException {
		byte[] buffer = new byte[8192];
		InputStream in = from.getInputStream();
		OutputStream out = to.getOutputStream();
		int count = in.read(buffer);
		while (count >= 0) {
			if (!stranded.get()) {
				out.write(buffer, 0, count);
			}
			count = in.read(buffer);
		}
		if (!stranded.get()) {
			to.close();
		}
	}

	private static void start(Pump pump) {
		Thread thread = new Thread(() -> {
			try {
				pump.run();
			}
			catch (IOException ex) {
				// One side has closed
			}
		}, "relay");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * What one thread does until a socket is closed.
	 */
	private interface Pump {

		void run() throws IOException;

	}

}
