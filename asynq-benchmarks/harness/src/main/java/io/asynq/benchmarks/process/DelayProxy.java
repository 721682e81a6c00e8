package io.asynq.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import eu.rekawek.toxiproxy.ToxiproxyClient;
import eu.rekawek.toxiproxy.model.ToxicDirection;

/**
 * Toxiproxy between the peers and Redis: what is sent to Redis arrives later.
 */
public final class DelayProxy implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Process process;

	private final String address;

	private DelayProxy(Process process, String address) {
		this.process = process;
		this.address = address;
	}

	/**
	 * Starts a proxy.
	 * @param executable Toxiproxy's server
	 * @param redis the address behind it
	 * @param delayMillis how much later a request arrives, ms
	 * @param log where its log goes
	 * @return the proxy
	 */
	public static DelayProxy start(Path executable, String redis, int delayMillis, Path log) {
		int control = RedisProcess.freePort();
		String address = "127.0.0.1:" + RedisProcess.freePort();
		try {
			Process process = new ProcessBuilder(executable.toString(), "-host", "127.0.0.1", "-port",
					String.valueOf(control))
				.redirectErrorStream(true)
				.redirectOutput(Redirect.appendTo(log.toFile()))
				.start();
			// Unlike a peer it does not see the end of this program
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
			awaitListening(control);
			new ToxiproxyClient("127.0.0.1", control).createProxy("redis", address, redis)
				.toxics()
				.latency("delay", ToxicDirection.UPSTREAM, delayMillis);
			return new DelayProxy(process, address);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Toxiproxy cannot be started; its log is " + log, ex);
		}
	}

	public String address() {
		return this.address;
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
	}

	private static void awaitListening(int port) throws IOException {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
				return;
			}
			catch (IOException ex) {
				if (System.nanoTime() - end > 0) {
					throw ex;
				}
				LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			}
		}
	}

}
