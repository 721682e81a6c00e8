package io.asynq.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import eu.rekawek.toxiproxy.model.Toxic;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import io.asynq.test.process.Child;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import org.awaitility.Awaitility;

/**
 * A proxy for one server that can delay, drop and block data, built by Go.
 */
public final class Toxiproxy implements AutoCloseable {

	private final Child process;

	private final int control;

	private final Proxy proxy;

	private final int port;

	private final Queue<Toxic> toxics = new ConcurrentLinkedQueue<>();

	private Toxiproxy(Child process, int control, Proxy proxy, int port) {
		this.process = process;
		this.control = control;
		this.proxy = proxy;
		this.port = port;
	}

	/**
	 * @param server {@code host:port} of the server behind it
	 */
	public static Toxiproxy start(String server) {
		Path executable = Program.EXECUTABLE;
		int control = Ports.free();
		int port = Ports.free();
		Path log = executable.resolveSibling("toxiproxy.log");
		Child process = Child.start("toxiproxy",
				List.of(executable.toString(), "-host", Ports.HOST, "-port", String.valueOf(control)), log);
		ToxiproxyClient client = new ToxiproxyClient(Ports.HOST, control);
		// Nothing signals that it listens
		Proxy proxy = Awaitility.await("Toxiproxy, whose log is " + log)
			.atMost(RedisNode.PATIENCE)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(20))
			.ignoreExceptionsInstanceOf(IOException.class)
			.until(() -> client.createProxy("redis", Ports.HOST + ":" + port, server), Objects::nonNull);
		return new Toxiproxy(process, control, proxy, port);
	}

	public int port() {
		return this.port;
	}

	public String address() {
		return Ports.HOST + ":" + this.port;
	}

	public void delay(Duration delay) {
		add(() -> this.proxy.toxics().latency("delay", ToxicDirection.UPSTREAM, delay.toMillis()));
	}

	/**
	 * Closes each connection after a while, new ones included, until {@link #heal()}.
	 * @param after when a connection is closed, zero to close it at {@link #heal()}
	 */
	public void dropAnswers(Duration after) {
		add(() -> this.proxy.toxics().timeout("drop", ToxicDirection.DOWNSTREAM, after.toMillis()));
	}

	/** Closes nothing, as when a machine is unplugged, until {@link #heal()}. */
	public void silence() {
		add(() -> this.proxy.toxics().timeout("silent-up", ToxicDirection.UPSTREAM, 0));
		add(() -> this.proxy.toxics().timeout("silent-down", ToxicDirection.DOWNSTREAM, 0));
	}

	/** Data that was dropped stays lost. */
	public void heal() {
		try {
			for (Toxic toxic = this.toxics.poll(); toxic != null; toxic = this.toxics.poll()) {
				toxic.remove();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Toxiproxy rejected a request", ex);
		}
	}

	URI toxics() {
		return URI.create("http://" + Ports.HOST + ":" + this.control + "/proxies/redis/toxics");
	}

	@Override
	public void close() {
		this.process.close();
	}

	private void add(NewToxic toxic) {
		try {
			this.toxics.add(toxic.create());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Toxiproxy rejected a request", ex);
		}
	}

	private static final class Program {

		static final Path EXECUTABLE = GoProgram.build(Repository.path("proof/test-support/go"),
				Repository.path("proof/test-support/target/go/toxiproxy"));

	}

	private interface NewToxic {

		Toxic create() throws IOException;

	}

}
