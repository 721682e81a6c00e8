package io.asynq.reliability.process;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.load.Load;
import io.asynq.test.process.Child;
import io.asynq.test.process.JavaProgram;
import org.jspecify.annotations.Nullable;

/** Starts the workers of one run. */
public record Launcher(Map<String, String> properties, Path goProgram, @Nullable String redis, Path ledger, Path logs) {

	/** Small and quick to start; speed is not measured here. */
	private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

	Worker launch(WorkerKind kind, String name, Map<String, String> properties) {
		List<String> command = (kind == WorkerKind.GO) ? go(name) : java(name, properties);
		return new Worker(kind, Child.start(name, command, this.logs.resolve(name + ".log")));
	}

	private List<String> java(String name, Map<String, String> properties) {
		Map<String, String> all = new LinkedHashMap<>(this.properties);
		all.putAll(properties);
		all.put("reliability.ledger", this.ledger.toString());
		all.put("reliability.worker", name);
		return JavaProgram.command(JVM, "io.asynq.reliability.worker.WorkerApplication", LocalServer.arguments(all));
	}

	private List<String> go(String name) {
		if (this.redis == null) {
			throw new IllegalStateException("The Redis of this run is none for Go workers");
		}
		return List.of(this.goProgram.toString(), "worker", "-redis", this.redis, "-ledger", this.ledger.toString(),
				"-name", name, "-concurrency", String.valueOf(Load.CONCURRENCY));
	}

}
