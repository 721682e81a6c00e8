package io.asynq.reliability.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The process of Toxiproxy with one proxy before one server.
 */
final class Toxiproxy implements AutoCloseable {

	private static final long STEP_NANOS = 20_000_000;

	private static final int CONNECT_MILLIS = 1000;

	private final Process process;

	private final Thread hook;

	private Toxiproxy(Process process) {
		this.process = process;
		this.hook = new Thread(process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	/**
	 * Starts the process.
	 * @param module the folder of this module, whose {@code go} folder names the version
	 * @param control the port of its HTTP interface
	 * @return the process
	 */
	static Toxiproxy start(Path module, int control) {
		Path executable = module.resolve("target/go/toxiproxy").toAbsolutePath();
		if (!Files.isExecutable(executable)) {
			Command.run("go", "-C", module.resolve("go").toString(), "build", "-o", executable.toString(),
					"github.com/Shopify/toxiproxy/v2/cmd/server");
		}
		try {
			Toxiproxy toxiproxy = new Toxiproxy(
					new ProcessBuilder(executable.toString(), "-host", Ports.HOST, "-port", String.valueOf(control))
						.redirectErrorStream(true)
						.redirectOutput(Redirect.DISCARD)
						.start());
			awaitListening(control);
			return toxiproxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Toxiproxy cannot be started", ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		this.process.onExit().orTimeout(RedisNode.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
		Runtime.getRuntime().removeShutdownHook(this.hook);
	}

	private static void awaitListening(int port) throws IOException {
		long end = System.nanoTime() + RedisNode.PATIENCE.toNanos();
		while (true) {
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress(Ports.HOST, port), CONNECT_MILLIS);
				return;
			}
			catch (IOException ex) {
				if (System.nanoTime() - end > 0) {
					throw ex;
				}
				LockSupport.parkNanos(STEP_NANOS);
			}
		}
	}

}
