package io.asynq.benchmarks.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Executes the lines of the standard input. */
public final class PeerProgram {

	private final Peer peer;

	private final Load load;

	private Settings served = new Settings(Map.of());

	private volatile Runs runs = new Runs(0, this.served);

	private PeerProgram(Peer peer) {
		this.peer = peer;
		this.load = new Load(peer);
	}

	public static void run(Peer peer) throws IOException {
		PrintStream answers = System.out;
		// Log lines on the standard output must not be taken for answers
		System.setOut(System.err);
		PeerProgram program = new PeerProgram(peer);
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			answers.println(program.answer(line));
			answers.flush();
		}
		System.exit(0);
	}

	private String answer(String line) {
		try {
			String[] words = line.split(" ");
			return "ok " + obey(words[0], Settings.parse(words));
		}
		catch (Throwable ex) {
			// An Error is an answer, too: otherwise the other side would wait forever
			ex.printStackTrace();
			return "error " + ex.toString().replace('\n', ' ');
		}
	}

	private String obey(String verb, Settings settings) throws Exception {
		return switch (verb) {
			case "serve" -> serve(settings);
			case "again" -> again(settings);
			case "await" -> this.runs.await(settings.number("timeout_ms"));
			case "starts" -> this.runs.starts();
			case "stop" -> stop();
			case "enqueue" -> this.load.enqueue(settings);
			case "pace" -> this.load.pace(settings);
			case "cpu" -> "cpu_ns=" + ProcessMeter.cpuNanos();
			case "version" -> "version=" + this.peer.version();
			default -> throw new IllegalArgumentException("Unknown verb: " + verb);
		};
	}

	private String serve(Settings settings) throws Exception {
		this.served = settings;
		again(settings);
		this.peer.serve(settings, (number) -> this.runs.run(number));
		return "";
	}

	private String again(Settings settings) {
		this.runs = new Runs(settings.number("tasks"), this.served);
		return "";
	}

	private String stop() throws Exception {
		long start = System.nanoTime();
		this.peer.stop();
		return "drain_ns=" + (System.nanoTime() - start) + " doubled=" + this.runs.doubled();
	}

}
