package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.process.WorkerKind;

/** The load during a fault. */
public record Scenario(int tasks, Duration feeding, int longTasks, List<WorkerKind> workers,
		Map<String, String> properties) {

	private static final int LONG_TASKS = 10;

	public static Scenario of(int tasks, int seconds) {
		return new Scenario(tasks, Duration.ofSeconds(seconds), LONG_TASKS, List.of(WorkerKind.JAVA, WorkerKind.JAVA),
				Map.of());
	}

	public Scenario longTasks(int ofThousand) {
		return new Scenario(this.tasks, this.feeding, ofThousand, this.workers, this.properties);
	}

	public Scenario workers(WorkerKind... workers) {
		return new Scenario(this.tasks, this.feeding, this.longTasks, List.of(workers), this.properties);
	}

	public Scenario property(String name, String value) {
		Map<String, String> properties = new LinkedHashMap<>(this.properties);
		properties.put(name, value);
		return new Scenario(this.tasks, this.feeding, this.longTasks, this.workers, properties);
	}

}
