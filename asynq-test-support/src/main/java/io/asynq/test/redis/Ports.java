package io.asynq.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds free ports on loopback, each only once in this program. Safe for concurrent use.
 */
public final class Ports {

	public static final String HOST = "127.0.0.1";

	/** A node of a cluster also listens on its port plus this. */
	private static final int BUS_OFFSET = 10000;

	private static final Set<Integer> given = new HashSet<>();

	private Ports() {
	}

	public static synchronized int free() {
		int port;
		do {
			try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
				port = socket.getLocalPort();
			}
			catch (IOException ex) {
				throw new UncheckedIOException("No port is free on " + HOST, ex);
			}
		}
		while (!given.add(port));
		return port;
	}

	/**
	 * Finds a port whose cluster bus also has a valid port.
	 */
	public static int freeForCluster() {
		int port;
		do {
			port = free();
		}
		while (port + BUS_OFFSET > 65535);
		return port;
	}

}
