package io.asynq.test.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port stays free until its server is started, and while that is down: programs that
 * test at the same time divide a range that the system gives to no outgoing connection.
 */
public final class Ports {

	public static final String HOST = "127.0.0.1";

	/** A node of a cluster also listens on its port plus this. */
	private static final int BUS_OFFSET = 10000;

	private static final int FIRST = 11_000;

	/** With the offset still below the ports of outgoing connections. */
	private static final int BLOCKS = 100;

	private static final int BLOCK = 100;

	/** Listen on the first port of a block each, as long as this program runs. */
	private static final Deque<ServerSocket> claims = new ArrayDeque<>();

	private static int given;

	private Ports() {
	}

	public static int free() {
		return next(false);
	}

	/** The cluster bus has a port of its own. */
	public static int freeForCluster() {
		return next(true);
	}

	private static synchronized int next(boolean cluster) {
		int port;
		do {
			if (claims.isEmpty() || given == BLOCK - 1) {
				claims.push(claim());
				given = 0;
			}
			given++;
			port = claims.element().getLocalPort() + given;
		}
		while (!isFree(port) || (cluster && !isFree(port + BUS_OFFSET)));
		return port;
	}

	private static ServerSocket claim() {
		int start = ThreadLocalRandom.current().nextInt(BLOCKS);
		for (int i = 0; i < BLOCKS; i++) {
			try {
				return listen(FIRST + BLOCK * ((start + i) % BLOCKS));
			}
			catch (IOException ex) {
				// Another program has this block
			}
		}
		throw new IllegalStateException("No port is free on " + HOST
				+ ": other programs have taken every hundredth from " + FIRST + " on; end them");
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = listen(port)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static ServerSocket listen(int port) throws IOException {
		return new ServerSocket(port, 1, InetAddress.getByName(HOST));
	}

}
