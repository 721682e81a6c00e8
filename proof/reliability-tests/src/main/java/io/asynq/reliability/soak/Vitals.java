package io.asynq.reliability.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.asynq.test.process.Command;

/** What a JVM holds at one moment. */
record Vitals(long heap, long threads, long handles, long sockets) {

	private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

	static Vitals of(long pid) {
		try {
			// Counts live objects only, unlike the used space a moment after a collection
			Matcher total = TOTAL.matcher(jcmd(pid, "GC.class_histogram"));
			if (!total.find()) {
				throw new IOException("jcmd GC.class_histogram tells no total");
			}
			long heap = Long.parseLong(total.group(1)) / 1024;
			Path process = Path.of("/proc", String.valueOf(pid));
			long threads = Files.readAllLines(process.resolve("status"))
				.stream()
				.filter((line) -> line.startsWith("Threads:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
				.sum();
			List<String> handles = handles(process);
			return new Vitals(heap, threads, handles.size(),
					handles.stream().filter((target) -> target.startsWith("socket:")).count());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Process " + pid + " cannot be read", ex);
		}
	}

	private static List<String> handles(Path process) throws IOException {
		try (Stream<Path> files = Files.list(process.resolve("fd"))) {
			return files.map(Vitals::target).toList();
		}
	}

	private static String target(Path handle) {
		try {
			return Files.readSymbolicLink(handle).toString();
		}
		catch (IOException ex) {
			// Closed meanwhile
			return "";
		}
	}

	private static String jcmd(long pid, String command) {
		return Command.run(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), String.valueOf(pid),
				command);
	}

}
