package io.asynq.reliability.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.load.Load;
import org.jspecify.annotations.Nullable;

/**
 * Knows how workers of one run are started.
 *
 * @param properties what every Java worker is told: Redis, leases
 * @param goProgram the Go program
 * @param redis the address for Go, {@code null} if this run has no Go
 * @param ledger the folder of the ledger
 * @param logs the folder of what workers say
 */
public record Launcher(Map<String, String> properties, Path goProgram, @Nullable String redis, Path ledger, Path logs) {

	/** Small and quick to start; what is measured here is not speed. */
	private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

	Worker launch(WorkerKind kind, String name, Map<String, String> properties) {
		List<String> command = (kind == WorkerKind.GO) ? go(name) : java(name, properties);
		return new Worker(kind, Child.start(name, command, this.logs.resolve(name + ".log")));
	}

	private List<String> java(String name, Map<String, String> properties) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(JVM);
		command.addAll(List.of("-cp", System.getProperty("java.class.path")));
		command.add("io.asynq.reliability.worker.WorkerApplication");
		Map<String, String> all = new LinkedHashMap<>(this.properties);
		all.putAll(properties);
		all.put("reliability.ledger", this.ledger.toString());
		all.put("reliability.worker", name);
		all.forEach((key, value) -> command.add("--" + key + "=" + value));
		return command;
	}

	private List<String> go(String name) {
		if (this.redis == null) {
			throw new IllegalStateException("The Redis of this run is none for Go workers");
		}
		return List.of(this.goProgram.toString(), "worker", "-redis", this.redis, "-ledger", this.ledger.toString(),
				"-name", name, "-concurrency", String.valueOf(Load.CONCURRENCY));
	}

}
