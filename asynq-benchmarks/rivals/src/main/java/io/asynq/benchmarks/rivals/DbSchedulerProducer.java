package io.asynq.benchmarks.rivals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import io.asynq.benchmarks.peer.Producer;

/** Schedules tasks for now. */
final class DbSchedulerProducer implements Producer {

	private final SchedulerClient client;

	private final AutoCloseable connections;

	DbSchedulerProducer(SchedulerClient client, AutoCloseable connections) {
		this.client = client;
		this.connections = connections;
	}

	@Override
	public void one(String payload) {
		if (!this.client.scheduleIfNotExists(task(payload), Instant.now())) {
			throw new IllegalStateException("db-scheduler did not accept " + payload);
		}
	}

	@Override
	public void many(List<String> payloads) {
		List<TaskInstance<?>> tasks = new ArrayList<>(payloads.size());
		for (String payload : payloads) {
			tasks.add(task(payload));
		}
		this.client.scheduleBatch(tasks, Instant.now());
	}

	@Override
	public void close() throws Exception {
		this.connections.close();
	}

	private static TaskInstance<String> task(String payload) {
		return DbSchedulerPeer.TASK.instance(UUID.randomUUID().toString()).data(payload).build();
	}

}
